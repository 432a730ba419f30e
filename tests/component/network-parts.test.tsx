import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { NetworkCard } from '../../contract/api/model.ts'
import { seasonLabel } from '../../domain/region.ts'
import { NetworkParts } from '../../src/features/model/network-parts.tsx'
import { part, renderPart, type RenderOptions } from './render.tsx'

/** What the model card says of the network: what it sees, its high chances, and what each part is worth. */

const NETWORK: NetworkCard = {
  offset: 0.9,
  networks: 2,
  trees: 0,
  jockeys: 61,
  trainers: 33,
  ablation: [
    {
      seasons: [2017, 2018, 2019],
      races: 2369,
      rows: [
        { part: 'linear', r2: 0.1639, above: null },
        { part: 'figures', r2: 0.1641, above: { gain: 0.0002, interval: { low: -0.0013, high: 0.0017 } } },
        { part: 'whole', r2: 0.1657, above: { gain: 0.0018, interval: { low: 0.0001, high: 0.0034 } } },
      ],
    },
    {
      seasons: [2020, 2021, 2022, 2023, 2024],
      races: 4167,
      rows: [{ part: 'linear', r2: 0.1487, above: null }],
    },
  ],
}
const CALIBRATION = [
  {
    model: 'network',
    bins: [
      { from: 0.3, to: 0.4, starters: 900, mean: 0.34, observed: 0.35, interval: { low: 0.32, high: 0.38 } },
      { from: 0.4, to: 1, starters: 402, mean: 0.476, observed: 0.54, interval: { low: 0.491, high: 0.588 } },
    ],
  },
]

const open = (network: NetworkCard | null | undefined, options: RenderOptions = {}) =>
  renderPart(
    <NetworkParts
      card={{ regionId: '100000', features: [], calibration: CALIBRATION, network }}
      seasonName={(season) => seasonLabel(9, season)}
    />,
    { parts: ['card'], ...options },
  )

/** The figures of a row of a table. */
const cells = (table: HTMLElement, row: number): string[] =>
  [...table.querySelectorAll('tbody tr')[row]!.querySelectorAll('td')].map((cell) => cell.textContent)

test.for([
  ['en', 'What the network adds', 'takes 90% of that score', '61 jockeys and 33 trainers', 'All of it'],
  ['zh-Hant', '神經網絡的作用', '取該分數的90%', '61名騎師及33名練馬師', '全部'],
  ['zh-Hans', '神经网络的作用', '取该分数的90%', '61名骑师及33名练马师', '全部'],
] as const)(
  'what the network sees and what each part is worth: %s',
  async ([language, title, share, people, whole]) => {
    await open(NETWORK, { language })
    const panel = document.getElementById('card-network')!
    expect(within(panel).getByRole('heading', { level: 2 }).textContent).toBe(title)
    expect(panel.textContent).toContain(share)
    expect(panel.textContent).toContain(people)
    const table = part('card-ablation-2017')
    expect([...table.querySelectorAll('tbody th')].at(-1)!.textContent).toBe(whole)
    expect(cells(table, 0)).toEqual(['0.1639', '–'])
    expect(cells(table, 1)[1]).toMatch(/^\+0\.0002.*−0\.0013.*\+0\.0017/)
    expect(cells(table, 2)[1]).toMatch(/^\+0\.0018.*\+0\.0001.*\+0\.0034/)
    expect(part('card-high').textContent).toMatch(/54\.0%.*49\.1%.*58\.8%.*47\.6%/)
    expect(part('card-high').textContent).toContain('402')
  },
)

test('seasons on which settings were chosen are marked', async () => {
  await open(NETWORK, { width: 390 })
  const captionOf = (season: number): string =>
    part(`card-ablation-${season}`).querySelector('caption')!.textContent
  expect(captionOf(2017)).toBe('2017/18 to 2019/20, 2,369 races; settings were chosen on these seasons')
  expect(captionOf(2020)).toBe('2020/21 to 2024/25, 4,167 races')
})

for (const [what, network] of [
  ['without a network', null],
  ['of an earlier program', undefined],
] as const)
  test(`a card ${what} says nothing of one`, async () => {
    await open(network)
    expect(document.getElementById('card-network')).toBeNull()
  })

test('another region has no parts recorded, and no table of them', async () => {
  await open({ ...NETWORK, ablation: [] })
  expect(document.getElementById('card-network')).not.toBeNull()
  expect(document.querySelector('table')).toBeNull()
})
