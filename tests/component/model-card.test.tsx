import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ResultOf } from '../../contract/api/endpoint.ts'
import { queryModelCard, type CardMetrics, type ModelCardAnswer } from '../../contract/api/model.ts'
import type { Language } from '../../domain/languages.ts'
import { ModelCardScreen } from '../../src/screens/model-card/model-card-screen.tsx'
import { MANIFEST, signIn } from './record.tsx'
import { renderPart, server } from './render.tsx'

/** The model card: what the challenger gains, which model is shown first, and what the blend is worth. */

const METRICS: CardMetrics = {
  races: 4167,
  logLoss: 2.1,
  r2: 0.15,
  r2Error: 0.005,
  top1: 0.25,
  top3: 0.55,
  brier: 0.85,
  slope: 1,
  slopeError: 0.02,
  returns: null,
}
const gainOf = (races: number, gain: number, low: number, high: number) => ({
  races,
  gain,
  interval: { low, high },
  nats: { gain: gain * 2.4, interval: { low: low * 2.4, high: high * 2.4 } },
})

const CARD: ModelCardAnswer = {
  regionId: '100000',
  data: { from: '2016-09-03', to: '2025-07-16', races: 7821, starters: 95_000 },
  versions: [],
  features: [],
  settings: {
    trees: 0,
    temperature: 1.03,
    power: 1.05,
    blend: { model: 'network', own: 0.15, market: 0.93 },
  },
  seasons: [2019, 2023, 2024],
  tuning: [2019],
  pooled: [2023, 2024],
  sources: [{ source: 'network', pooled: METRICS, bySeason: [{ season: 2024, metrics: METRICS }] }],
  gains: [
    { model: 'fundamental', gain: -0.0444, interval: { low: -0.05, high: -0.039 } },
    { model: 'blended', gain: 0.0001, interval: { low: -0.0009, high: 0.001 } },
  ],
  challenge: {
    model: 'network',
    against: 'fundamental',
    pooled: gainOf(1667, 0.0056, 0.0039, 0.0072),
    bySeason: [
      { season: 2019, gain: gainOf(827, 0.0036, -0.0001, 0.007) },
      { season: 2024, gain: gainOf(833, 0.0057, 0.002, 0.0091) },
    ],
  },
  calibration: [],
  exotics: [],
}

type Answer = NonNullable<ResultOf<typeof queryModelCard>>
async function show(changes: Partial<Answer> = {}, language: Language = 'en', width = 1280) {
  server.manifest = MANIFEST
  signIn('vip')
  const promotions = [{ model: 'network', promotedAt: '2026-11-01T10:00:00.000Z' }]
  server.answer(queryModelCard, { card: CARD, text: '# Model card', promotions, ...changes })
  await renderPart(<ModelCardScreen />, { language, path: '/pages/race/ModelCard', width })
  const heading = await screen.findByRole('heading', {
    name: /^(The network against|神經網絡與|神经网络与)/,
  })
  return heading.closest<HTMLElement>('section')!
}
const linesOf = (panel: HTMLElement): (string | null)[][] =>
  within(panel)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent))

test('the gain of the network on the form model, pooled and by season, and since when races show it', async () => {
  const panel = await show()
  expect(panel.textContent).toMatch(
    /Without odds, races that were locked since .*2026.* show Network on the form model \(no odds\) first\./,
  )
  expect(linesOf(panel)).toEqual([
    ['2023/24 – 2024/25', '1,667', '+0.013495% +0.0094 to +0.0173', '+0.005695% +0.0039 to +0.0072'],
    ['2024/25', '833', '+0.013795% +0.0048 to +0.0218', '+0.005795% +0.0020 to +0.0091'],
    [
      '2019/20\u00a0· settings chosen here',
      '827',
      '+0.008695% −0.0002 to +0.0168',
      '+0.003695% −0.0001 to +0.0070',
    ],
  ])
})

test('features without data are named apart, and weaknesses are those of the region', async () => {
  const feature = { group: 'form', unit: 'share', source: 'place' }
  const features = [
    { ...feature, key: 'winRate', weight: 0.2, t: 3 },
    { ...feature, key: 'drawStraight', weight: 0, t: 0 },
  ]
  await show({ card: { ...CARD, features, regionId: '100392' } })
  const section = (name: string): HTMLElement => screen.getByRole('heading', { name }).closest('section')!
  const weights = section('Features of our model')
  expect(linesOf(weights)).toHaveLength(1)
  expect(weights.textContent).toMatch(/Without data in this region, and so without weight: .*straight/i)
  const weaknesses = section('Known weaknesses').textContent
  expect(weaknesses).toContain('chosen on Hong Kong’s seasons; on this region’s they were not tried')
  expect(weaknesses).not.toContain('Hong Kong’s files')
})

test('a single season is not told twice', async () => {
  const panel = await show({ card: { ...CARD, pooled: [2024], seasons: [2024], tuning: [] } })
  expect(linesOf(panel).map(([season]) => season)).toEqual(['2024/25', '2019/20'])
})

test('without a promotion the form model is named, and without a network there is no table', async () => {
  const panel = await show({ card: { ...CARD, challenge: null }, promotions: [] })
  expect(panel.textContent).toContain('Without odds, races show Form model (no odds) first.')
  expect(within(panel).queryByRole('table')).toBeNull()
})

test.each([
  [
    'en',
    'With odds, the blend of Network on the form model (no odds) and the market cannot be told from the market alone: its R² differs by +0.0001 (95% −0.0009 to +0.0010).',
  ],
  [
    'zh-Hant',
    '有賠率時，自家模型加神經網絡（不用賠率）與市場的混合和單用市場並無分別：R²相差+0.0001（95%區間 −0.0009至+0.0010）。',
  ],
  [
    'zh-Hans',
    '有赔率时，自家模型加神经网络（不用赔率）与市场的混合和单用市场并无分别：R²相差+0.0001（95%区间 −0.0009至+0.0010）。',
  ],
] as const)('in %s the card says first that the blend is equal to the market', async (language, sentence) => {
  const panel = await show({}, language)
  const said = screen.getByText(sentence)
  expect(said.compareDocumentPosition(panel) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
  for (const table of screen.getAllByRole('table'))
    expect(said.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
})

test('after the heading a phone has first what the models are worth, then lists that open, and no wide table', async () => {
  await show({ promotions: [] }, 'en', 390)
  const said = screen.getByText(/^With odds, the blend/).parentElement!
  expect(said.textContent).toMatch(
    /Form model \(no odds\) is worse than the market: its R² differs by −0\.0444 \(95% −0\.0500 to −0\.0390\)\.$/,
  )
  expect(said.previousElementSibling!.textContent).toBe('Model card')
  // Only what has four columns at most is a table there.
  for (const table of screen.getAllByRole('table'))
    expect(within(table).getAllByRole('columnheader').length).toBeLessThanOrEqual(4)
  const line = within(screen.getByRole('list', { name: 'Model card' })).getByRole('listitem')
  expect(line.querySelector('summary')!.textContent).toBe(
    'Network on the form model (no odds)R² 0.1500± 0.0050',
  )
  expect([...line.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual([
    'Races',
    'Log loss per race',
    'First choice won',
    'Winner in first three choices',
    'Brier',
    'Calibration slope',
    'Return of first choice',
  ])
})

test('a blend that beats the market is not said to be equal to it', async () => {
  const gains = [{ model: 'blended', gain: 0.002, interval: { low: 0.0004, high: 0.0036 } }]
  await show({ card: { ...CARD, gains } })
  expect(document.body.textContent).not.toContain('cannot be told from the market')
})

test.each([
  ['promoted', {}, 'Network on the form model (no odds)'],
  ['of the start', { promotions: [] }, 'Form model (no odds)'],
])('of the models’ parts, that of the %s model is open', async (_which, changes, opened) => {
  const calibration = ['fundamental', 'network'].map((model) => ({ model, bins: [] }))
  await show({ card: { ...CARD, calibration }, ...changes })
  const open = document.querySelectorAll('details[open] > summary')
  expect([...open].map(({ textContent }) => textContent)).toEqual([opened])
})
