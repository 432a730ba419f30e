import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { RaceResult } from '../../src/features/race/race-result.tsx'
import { RaceHeader } from '../../src/features/race/race-header.tsx'
import { Racecard } from '../../src/features/race/racecard.tsx'
import { PreparedConnector } from './prepared-connector.ts'
import { DIVIDENDS, raceInfo, runner, RUNNERS } from './race-samples.ts'
import { MANIFEST, signIn } from './record.tsx'
import { part, renderPart, server } from './render.tsx'

/** The parts of a race's page: its header, its result and dividends, its runners. */

test('the first four in order, and every pool’s dividend', async () => {
  server.manifest = MANIFEST
  server.connect(new PreparedConnector({ named: () => DIVIDENDS }))
  await renderPart(<RaceResult race={raceInfo()} runners={RUNNERS} />)
  const rows = [...part('first-four').querySelectorAll('tbody tr')]
  expect(rows.map((row) => row.querySelector('a')!.textContent)).toEqual(['Horse 2', 'Horse 3', 'Horse 1'])
  expect(rows[0]!.textContent).toContain('1st')
  expect(rows[0]!.querySelector('a')!.getAttribute('href')).toContain('HorseDetail?id=HK-H2')
  const paid = await screen.findByTestId('dividends')
  expect(
    [...paid.querySelectorAll('tr')].map((row) => [...row.children].map((each) => each.textContent)),
  ).toEqual([
    ['Win', '2', 'HK$20.50'],
    ['Place', '2', 'HK$12.50'],
    ['Place', '3', 'HK$14.00'],
    ['Quinella', '2-3', 'Refund'],
  ])
})

test('a race without a result has no part for it', async () => {
  server.manifest = MANIFEST
  server.connect(new PreparedConnector({ named: () => [] }))
  await renderPart(<RaceResult race={raceInfo()} runners={[runner(1), runner(2)]} />)
  await waitFor(() => expect(screen.queryByTestId('first-four')).toBeNull())
})

test.for([
  ['en', 'Race 1', '1,200 m', 'Good'],
  ['zh-Hant', '第1場', '1,200', '好地'],
  ['zh-Hans', '第1场', '1,200', '好地'],
] as const)(
  'the header names the race in the reader’s words: %s',
  async ([language, number, metres, going]) => {
    await renderPart(<RaceHeader race={raceInfo()} runners={RUNNERS} timeZone="Asia/Hong_Kong" />, {
      language,
    })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain(number)
    expect(document.body.textContent).toContain(metres)
    expect(document.body.textContent).toContain(going)
  },
)

const numbers = (): number[] =>
  [...part('racecard').querySelectorAll<HTMLElement>('[data-number]')].map((each) =>
    Number(each.dataset['number']),
  )

test('a racecard is in finishing order, is sorted by the keyboard, and its figures are those of the field', async () => {
  signIn('vip')
  const { user } = await renderPart(<Racecard race={raceInfo()} runners={RUNNERS} open judged={false} />, {
    parts: ['card'],
  })
  expect(numbers()).toEqual([2, 3, 1, 4])
  expect(part('racecard').textContent).toContain('Withdrawn')
  within(part('racecard')).getByRole('button', { name: 'Model' }).focus()
  await user.keyboard('{Enter}')
  await waitFor(() =>
    expect(part('racecard').querySelector('[aria-sort=descending]')!.textContent).toContain('Model'),
  )
  expect(numbers().slice(0, 3)).toEqual([2, 3, 1])
  // The model’s share, its reciprocal, and its distance from the market’s share: 1 ÷ 2 of 1 ÷ 10 + 1 ÷ 2 + 1 ÷ 2.5.
  const row = part('racecard').querySelector<HTMLElement>('[data-number="2"]')!
  const cell = (name: string): string => row.querySelector(`[data-column=${name}]`)!.textContent
  expect(cell('model')).toBe('55.0%')
  expect(Number(cell('fair'))).toBeCloseTo(1 / 0.55, 1)
  expect(
    Number(
      cell('edge')
        .replace('−', '-')
        .replaceAll(/[^\d.-]/g, ''),
    ),
  ).toBeCloseTo(100 * (0.55 - 0.5 / 1), 1)
})

test('without the race there are runners and results, and nothing of the model', async () => {
  const closed = RUNNERS.map((each) => ({
    ...each,
    probability: null,
    predictedRank: null,
    openingOdds: null,
  }))
  const { user } = await renderPart(
    <Racecard race={raceInfo({ isSubscribe: 0 })} runners={closed} open={false} judged={false} />,
    { parts: ['card'], width: 390 },
  )
  const lines = within(part('racecard')).getAllByRole('listitem')
  expect(lines[0]!.textContent).toContain('1st')
  expect(lines[0]!.textContent).toContain('Odds')
  expect(part('racecard').textContent).not.toContain('Model')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'No.')
  expect(numbers()).toEqual([1, 2, 3, 4])
})
