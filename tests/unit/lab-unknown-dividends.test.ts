import { expect, test } from 'vitest'
import { BENCHMARK_FIGURES, BENCHMARKS, type LabResult } from '../../analytics/lab-api.ts'
import { Lab } from '../../workers/lab/lab.ts'
import { pageOf, TEN_ON_EACH, type Column } from '../support/lab-page.ts'

/** The lab's benchmarks and simulated paths where the dividends of some bets are unknown. */

type Figures = Readonly<Record<(typeof BENCHMARK_FIGURES)[number], number | null>>

/** The lab with one bet in each race, all lost but the first: its dividend is unknown, if it is so. */
async function labOf(races: number, { isFirstUnknown = false } = {}): Promise<Lab> {
  const lab = new Lab()
  await lab.begin('kept')
  const numbers = Array.from({ length: races }, (_, at) => at + 1)
  const each = (value: number | string): Column => numbers.map(() => value)
  await lab.add(
    pageOf({
      combination: each('1'),
      rank: each(1),
      bet_type: each(1),
      race_id: numbers.map((no) => `HKSHT20260104${no}`),
      day: each('2026-01-04'),
      meeting: each('2026-01-04 1'),
      race_no: numbers,
      outcome: numbers.map((no) => (no === 1 && isFirstUnknown ? 'hit' : 'miss')),
      probability: each(0.25),
      market_probability: each(0.2),
      win_odds: each(3),
      opening_odds: each(3),
      late_odds: each(3),
      profit_cents: numbers.map((no) => (no === 1 && isFirstUnknown ? null : -1000)),
    }),
  )
  await lab.ready()
  return lab
}

/** The result of a lost bet in each race, at level stakes of HK$10, beside benchmarks with these figures. */
async function besides(races: readonly Figures[]): Promise<LabResult> {
  const lab = await labOf(races.length)
  const figures: Record<string, Column> = {}
  for (const of of BENCHMARKS)
    for (const name of BENCHMARK_FIGURES) figures[`${of}_${name}`] = races.map((race) => race[name])
  await lab.standards(
    pageOf({ key: races.map(() => '2026-01-04 1'), key2: races.map((_, at) => at + 1), ...figures }),
  )
  return lab.run(TEN_ON_EACH)
}

const LOST: Figures = { return: -1, return_worst: -1, return_best: -1, hits: 0, unknown_hits: 0 }
const WON_UNKNOWN: Figures = { return: null, return_worst: 0, return_best: 3, hits: 1, unknown_hits: 1 }
/** At best it is left out, so that it has no best return. */
const LOST_UNKNOWN: Figures = { return: null, return_worst: -1, return_best: null, hits: 0, unknown_hits: 0 }

test('at worst a benchmark loses the bets without a dividend, which at best are left out, as the plan’s own', async () => {
  const { favourite, random } = await besides([LOST, WON_UNKNOWN, LOST_UNKNOWN])
  const told = {
    staked: 3000,
    profit: -1000,
    bounds: { profit: { low: -2000, high: 2000 }, returned: { low: -2 / 3, high: 1 } },
  }
  expect(favourite).toEqual(told)
  expect(random).toEqual(told)
})

test('a benchmark of which every dividend is known is one number', async () => {
  const { favourite } = await besides([
    LOST,
    { ...LOST, return: 2, return_worst: 2, return_best: 2, hits: 1 },
  ])
  expect(favourite).toEqual({ staked: 2000, profit: 1000 })
})

test('a benchmark with nothing but lost bets without a dividend keeps its worst end', async () => {
  const { favourite } = await besides([WON_UNKNOWN, LOST_UNKNOWN, LOST_UNKNOWN])
  expect(favourite?.bounds).toEqual({
    profit: { low: -2000, high: 3000 },
    returned: { low: -2 / 3, high: 3 },
  })
})

test.each([
  [100, false, 400],
  [100, true, 400],
  [60_000, true, 100],
])(
  'the paths of %i bets have a bound over both ends of what is unknown (%s): %i',
  async (count, isFirstUnknown, courses) => {
    const lab = await labOf(count, { isFirstUnknown })
    const { certain } = await lab.run(TEN_ON_EACH)
    expect(certain).toBe(!isFirstUnknown)
    expect((await lab.fan(TEN_ON_EACH))!.courses).toBe(courses)
  },
)
