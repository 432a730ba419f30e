// @module-tag rest
import { waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { queryModelCard, type ExoticRecord, type ModelCardAnswer } from '../../contract/api/model.ts'
import type { Language } from '../../domain/languages.ts'
import { ModelCardScreen } from '../../src/screens/model-card/model-card-screen.tsx'
import { MANIFEST, openRecord, signIn } from './record.tsx'
import { renderPart, server } from './render.tsx'

/** The record of a model's combinations, on its card and below the calibration of the record. */

const both = (before: number, now: number): { before: number; now: number } => ({ before, now })

const QUINELLA: ExoticRecord['classes'][number] = {
  gameplayClass: 3,
  season: null,
  races: 1650,
  top10: both(0.4321, 0.4444),
  top10Expected: both(0.4567, 0.4501),
  loss: both(3.4562, 3.4512),
  pool: { races: 1600, loss: both(3.4111, 3.4055), poolLoss: 3.2221, verified: true },
}
/** Of several winning places a race there is no single chance. */
const PLACE: ExoticRecord['classes'][number] = { ...QUINELLA, gameplayClass: 2, loss: null, pool: null }

const RECORD: ExoticRecord = {
  gains: [
    { season: null, races: 1650, gain: 0.0036, interval: { low: 0.0015, high: 0.0058 } },
    { season: 2023, races: 820, gain: -0.0012, interval: { low: -0.0041, high: 0.0018 } },
    { season: 2024, races: 830, gain: 0.0084, interval: { low: 0.0051, high: 0.0117 } },
  ],
  classes: [
    PLACE,
    QUINELLA,
    { ...QUINELLA, season: 2023, races: 820, top10: both(0.41, 0.42) },
    { ...QUINELLA, season: 2024, races: 830, top10: both(0.45, 0.46) },
  ],
  calibration: (['now', 'before'] as const).map((rule) => ({
    gameplayClass: 3,
    rule,
    bins: [
      {
        from: 0.01,
        to: 0.03,
        combinations: 12_345,
        mean: rule === 'now' ? 0.0172 : 0.0181,
        observed: 0.0168,
        interval: { low: 0.0147, high: 0.0192 },
      },
    ],
  })),
}

const exoticsOf = (model: string, record?: ExoticRecord): ModelCardAnswer['exotics'][number] => ({
  model,
  stages: [{ place: 2, races: 1650, plain: -2.2, fitted: -2.1, order: -2.09 }],
  ...(record && { record }),
  coverage: [],
  pools: [],
})

const METRICS: ModelCardAnswer['sources'][number]['pooled'] = {
  races: 1650,
  logLoss: 2.08,
  r2: 0.15,
  r2Error: 0.005,
  top1: 0.25,
  top3: 0.55,
  brier: 0.8,
  slope: 1,
  slopeError: 0.02,
  returns: null,
}

/** A card whose first model has the record, and whose other was made before there was one. */
const CARD: ModelCardAnswer = {
  regionId: '100000',
  data: { from: '2016-09-03', to: '2025-07-16', races: 8512, starters: 104_000 },
  versions: [],
  features: [],
  settings: null,
  seasons: [2023, 2024],
  tuning: [],
  pooled: [2023, 2024],
  sources: [{ source: 'fundamental', pooled: METRICS, bySeason: [] }],
  challenge: null,
  gains: [],
  calibration: [],
  exotics: [exoticsOf('fundamental', RECORD), exoticsOf('market-baseline')],
}

async function placed(selector: string): Promise<HTMLElement> {
  await waitFor(() => expect(document.querySelector(selector)).toBeTruthy())
  return document.querySelector<HTMLElement>(selector)!
}

const rowsOf = (table: HTMLElement): string[][] =>
  [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))
const headingsOf = (table: HTMLElement): string[] =>
  [...table.querySelectorAll('thead th')].map((cell) => cell.textContent)

const POOLED = [
  ['Place', '1,650', '0.444', '0.450', '0.432', '0.457', '–', '–', '–', '–', '–'],
  ['Quinella', '1,650', '0.444', '0.450', '0.432', '0.457', '3.451', '3.456', '1,600', '3.406', '3.222'],
]
const BY_SEASON = [
  [
    '2023/24',
    'Quinella',
    '820',
    '0.420',
    '0.450',
    '0.410',
    '0.457',
    '3.451',
    '3.456',
    '1,600',
    '3.406',
    '3.222',
  ],
  [
    '2024/25',
    'Quinella',
    '830',
    '0.460',
    '0.450',
    '0.450',
    '0.457',
    '3.451',
    '3.456',
    '1,600',
    '3.406',
    '3.222',
  ],
]

function expectRecordIn(place: HTMLElement): void {
  expect(place.textContent).toContain('+0.0036 nats a race (95% +0.0015 to +0.0058, 1,650 races')
  const pooled = within(place).getByTestId('exotics-pooled')
  expect(headingsOf(pooled)).toEqual([
    'Bet type',
    'Races',
    'Top 10',
    'Expected of 10',
    'Top 10 before',
    'Expected before',
    'Log loss per race',
    'Log loss before',
    'Races paid',
    'Log loss there',
    'The pool’s',
  ])
  expect(rowsOf(pooled)).toEqual(POOLED)
  expect(rowsOf(within(place).getByTestId('exotics-by-season'))).toEqual(BY_SEASON)
  const gains = within(place).getByRole('columnheader', { name: 'Gain of finishing times' }).closest('table')!
  expect(rowsOf(gains)).toEqual([
    ['2023/24', '820', '−0.001295% −0.0041 to +0.0018'],
    ['2024/25', '830', '+0.008495% +0.0051 to +0.0117'],
  ])
  const [now, before] = ['By finishing times', 'By stage exponents, as before'].map((name) =>
    within(place).getByRole('columnheader', { name }).closest('table')!,
  )
  expect(rowsOf(now!)).toEqual([['1.00%–3.00%', '12,345', '1.72%', '1.68%95% 1.47% to 1.92%']])
  expect(rowsOf(before!)).toEqual([['1.00%–3.00%', '12,345', '1.81%', '1.68%95% 1.47% to 1.92%']])
}

describe('on the model card', () => {
  const open = async (language: Language = 'en'): Promise<HTMLElement> => {
    server.manifest = MANIFEST
    signIn('vip')
    server.answer(queryModelCard, { card: CARD, text: '', promotions: [] })
    await renderPart(<ModelCardScreen />, { language })
    return placed('#card-combinations')
  }

  test('each bet type has its ten combinations and losses by both rules, by season and beside the pool', async () => {
    expectRecordIn(await open())
  })

  test('a model whose card was made before there was a record has none', async () => {
    const place = await open()
    const [, market] = [...place.querySelectorAll<HTMLElement>(':scope > details')]
    expect(market!.textContent).toContain('Calibrated market')
    expect(within(market!).queryByTestId('exotics-pooled')).toBeNull()
  })

  test.each([
    ['zh-Hant', '連贏', '按完成時間'],
    ['zh-Hans', '连赢', '按完成时间'],
  ] as const)('in %s', async (language, quinella, rule) => {
    const place = await open(language)
    const pooled = within(place).getByTestId('exotics-pooled')
    expect(rowsOf(pooled)[1]).toEqual([quinella, ...POOLED[1]!.slice(1)])
    expect(place.textContent).toContain(rule)
    expect(place.textContent).not.toMatch(/model\.|[A-Z][a-z]+ (before|paid)/)
  })
})

describe('below the calibration of the record', () => {
  /** The record shows the calibrated market; `exotics`: of the card. */
  const open = (
    exotics: ModelCardAnswer['exotics'],
    { role = 'vip', language = 'en' }: { role?: 'member' | 'vip'; language?: Language } = {},
  ) => openRecord({ role, language, words: 'tab=calibration', card: { ...CARD, exotics } })
  const OF_MARKET = [exoticsOf('market-baseline', RECORD)]

  test('the record of the model shown, of whole seasons whatever is selected', async () => {
    await open(OF_MARKET)
    const place = await placed('#combinations')
    expect(place.textContent).toContain('Of whole seasons, whatever is selected here.')
    expectRecordIn(place)
  })

  test.each([
    ['zh-Hant', '以整個馬季計算'],
    ['zh-Hans', '以整个赛季计算'],
  ] as const)('in %s', async (language, note) => {
    await open(OF_MARKET, { language })
    const place = await placed('#combinations')
    const rows = rowsOf(within(place).getByTestId('exotics-pooled'))
    expect(rows[1]!.slice(1)).toEqual(POOLED[1]!.slice(1))
    expect(place.textContent).toContain(note)
  })

  test('nothing of a model that has none', async () => {
    await open([exoticsOf('fundamental', RECORD), exoticsOf('market-baseline')])
    await waitFor(() => expect(server.requestsOf(queryModelCard)).toHaveLength(1))
    expect(document.querySelector('#combinations')).toBeNull()
  })

  test('is not asked for by others than VIPs', async () => {
    await open(OF_MARKET, { role: 'member' })
    expect(server.requestsOf(queryModelCard)).toEqual([])
    expect(document.querySelector('#combinations')).toBeNull()
  })
})
