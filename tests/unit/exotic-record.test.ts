import { beforeAll, describe, expect, test } from 'vitest'
import type { ExoticRecord } from '../../contract/api/model.ts'
import type { ModelVersion } from '../../server/model/models/model-version.ts'
import { judgeExotics } from '../../server/scoring/exotics.ts'
import type { Walk } from '../../server/scoring/walk-forward.ts'
import type { PricedRace } from '../../server/store/racing/history-store.ts'
import type { PaidDividend } from '../../server/store/racing/report-store.ts'

/**
 * The record of combinations against arithmetic of its own: every finishing order of a few fields is written out with its
 * chance, and each figure is summed over them. The model's finishing times have shape 1, whose orders are those of plain
 * Harville; “before” are the exponents that are usual where no earlier season is there to fit them to.
 */

type Rule = 'before' | 'now'
const EXPONENTS: Record<Rule, readonly [number, number, number, number]> = {
  before: [1, 0.88, 0.73, 0.67],
  now: [1, 1, 1, 1],
}
/** Digits to which logarithms of chances agree: integrals of the least probable quartets are the least exact. */
const DIGITS: Record<Rule, number> = { before: 9, now: 4 }
const RULES: Rule[] = ['before', 'now']

interface Sample {
  date: string
  season: number
  win: number[]
  /** Place of each starter. */
  places: number[]
  /** Dividends in cents per HK$10, by class and combination. */
  paid: Record<string, number>
}

/** No chance lies on the edge of a bin. */
const SAMPLES: Sample[] = [
  {
    date: '2021-01-06',
    season: 2020,
    win: [0.31, 0.2, 0.16, 0.12, 0.09, 0.07, 0.05],
    places: [2, 1, 4, 3, 7, 6, 5],
    paid: {
      '1 2': 4000,
      '3 1-2': 9000,
      '5 2-1': 21_000,
      '6 1-2-4': 30_000,
      '7 2-1-4': 150_000,
      '9 2-1-4-3': 900_000,
    },
  },
  {
    date: '2021-10-03',
    season: 2021,
    win: [0.05, 0.45, 0.15, 0.11, 0.09, 0.075, 0.04, 0.035],
    places: [8, 1, 7, 2, 6, 3, 5, 4],
    paid: { '1 2': 2200, '8 2-4-6-8': 250_000 },
  },
  // Several races on one day are one meeting.
  {
    date: '2021-10-03',
    season: 2021,
    win: [0.21, 0.19, 0.16, 0.14, 0.12, 0.11, 0.07],
    places: [7, 6, 5, 4, 3, 2, 1],
    paid: {},
  },
  // No place for it in the figures of combinations: a dead heat, too few starters, a season that is not asked for.
  {
    date: '2021-10-06',
    season: 2021,
    win: [0.4, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05],
    places: [1, 1, 3, 4, 5, 6, 7],
    paid: {},
  },
  { date: '2021-10-10', season: 2021, win: [0.4, 0.3, 0.1, 0.1, 0.1], places: [1, 2, 3, 4, 5], paid: {} },
  {
    date: '2019-10-10',
    season: 2019,
    win: [0.4, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05],
    places: [1, 2, 3, 4, 5, 6, 7],
    paid: {},
  },
]
const SHOWN = SAMPLES.slice(0, 3)

const TAKEOUTS: Record<string, number> = {
  '2020 1': 0.175,
  '2020 3': 0.175,
  '2020 5': 0.195,
  '2020 6': 0.195,
  '2020 7': 0.25,
  '2020 9': 0.25,
  '2021 1': 0.175,
  '2021 8': 0.23,
}
const UNCONFIRMED = new Set([7, 8, 9])

const raceOf = ({ date, season, places }: Sample, index: number): PricedRace => ({
  id: `race ${index}`,
  date,
  season,
  stadiumId: 'HKSHT',
  track: 'turf',
  course: 'A',
  distanceM: 1200,
  raceClass: 'C4',
  going: 'good',
  whole: true,
  places: places.length >= 7 ? 3 : 2,
  status: 'final',
  starters: places.map((place, row) => ({
    horseId: `horse ${row}`,
    horseNo: row + 1,
    jockeyId: null,
    trainerId: null,
    draw: row + 1,
    weightLb: 120,
    bodyLb: 1100,
    rating: 50,
    gear: null,
    place,
    timeMs: null,
    calls: null,
  })),
  odds: new Map(),
})

const walkOf = (): Walk => {
  const starts = SAMPLES.reduce((all, { win }) => [...all, all.at(-1)! + win.length], [0])
  const chances = Float64Array.from(SAMPLES.flatMap(({ win }) => win))
  const version = (season: number) => ({ season, fundamental: { shape: 1 } }) as ModelVersion
  return {
    races: SAMPLES.map(raceOf),
    data: { starts: Int32Array.from(starts) },
    versions: [version(2020), version(2021)],
    chances: { fundamental: chances },
  } as unknown as Walk
}

const dividends = (): PaidDividend[] =>
  SAMPLES.flatMap(({ paid }, index) =>
    Object.entries(paid).map(([line, dividendCents]) => {
      const [gameplayClass, combination] = line.split(' ') as [string, string]
      return { raceId: `race ${index}`, gameplayClass: Number(gameplayClass), combination, dividendCents }
    }),
  )

interface Order {
  horses: [number, number, number, number]
  chance: number
}

/** Every order of the first four of a field, with its chance. */
function ordersOf({ win }: Sample, rule: Rule): Order[] {
  const field = win.map((_, horse) => horse)
  const step = (gone: number[], chance: number): Order[] => {
    if (gone.length === 4) return [{ horses: gone as Order['horses'], chance }]
    const left = field.filter((horse) => !gone.includes(horse))
    const weight = (horse: number): number => win[horse]! ** EXPONENTS[rule][gone.length]!
    const all = left.reduce((sum, horse) => sum + weight(horse), 0)
    return left.flatMap((horse) => step([...gone, horse], (chance * weight(horse)) / all))
  }
  return step([], 1)
}

const sorted = (horses: readonly number[]): string => horses.toSorted((a, b) => a - b).join('-')

/** The combinations of each class that win when the first four are these. */
const WINNERS: Record<number, (order: Order['horses']) => string[]> = {
  1: ([a]) => [`${a}`],
  2: ([a, b, c]) => [`${a}`, `${b}`, `${c}`],
  3: ([a, b]) => [sorted([a, b])],
  4: ([a, b, c]) => [sorted([a, b]), sorted([a, c]), sorted([b, c])],
  5: ([a, b]) => [`${a}-${b}`],
  6: ([a, b, c]) => [sorted([a, b, c])],
  7: ([a, b, c]) => [`${a}-${b}-${c}`],
  8: (order) => [sorted(order)],
  9: (order) => [order.join('-')],
}
const CLASSES = Object.keys(WINNERS).map(Number)

function tableOf(sample: Sample, rule: Rule, gameplayClass: number): Map<string, number> {
  const table = new Map<string, number>()
  for (const { horses, chance } of ordersOf(sample, rule))
    for (const name of WINNERS[gameplayClass]!(horses)) table.set(name, (table.get(name) ?? 0) + chance)
  return table
}

const firstFourOf = ({ places }: Sample): Order['horses'] =>
  [1, 2, 3, 4].map((place) => places.indexOf(place)) as Order['horses']

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

let record: ExoticRecord
beforeAll(async () => {
  const [judged] = await judgeExotics(walkOf(), ['fundamental'], [2020, 2021], dividends())
  record = judged!.record!
})

describe.each(RULES)('combinations %s', (rule) => {
  test.each([null, 2020, 2021])('ten most probable ones won and were expected, season %s', (season) => {
    const samples = SHOWN.filter((sample) => season === null || sample.season === season)
    for (const gameplayClass of CLASSES) {
      const found = samples.map((sample) => {
        const table = [...tableOf(sample, rule, gameplayClass)].toSorted(([, a], [, b]) => b - a)
        const won = WINNERS[gameplayClass]!(firstFourOf(sample))
        const ten = table.slice(0, 10)
        return {
          hits: ten.filter(([name]) => won.includes(name)).length,
          expected: ten.reduce((sum, [, chance]) => sum + chance, 0),
        }
      })
      const row = record.classes.find(
        (each) => each.gameplayClass === gameplayClass && each.season === season,
      )!
      expect(row.races, `class ${gameplayClass}`).toBe(samples.length)
      expect(row.top10Expected[rule], `class ${gameplayClass}`).toBeCloseTo(
        mean(found.map(({ expected }) => expected)),
        6,
      )
      expect(row.top10[rule], `class ${gameplayClass}`).toBeCloseTo(mean(found.map(({ hits }) => hits)), 9)
    }
  })

  test.each([null, 2020, 2021])(
    'log loss of the winning one, and where it was paid the pool’s, season %s',
    (season) => {
      const samples = SHOWN.filter((sample) => season === null || sample.season === season)
      for (const gameplayClass of CLASSES) {
        const row = record.classes.find(
          (each) => each.gameplayClass === gameplayClass && each.season === season,
        )!
        if (gameplayClass === 2 || gameplayClass === 4) {
          expect([row.loss, row.pool]).toEqual([null, null])
          continue
        }
        const losses = samples.map((sample) => {
          const [won] = WINNERS[gameplayClass]!(firstFourOf(sample)) as [string]
          const numbers = won.split('-').map((horse) => Number(horse) + 1)
          const cents = sample.paid[`${gameplayClass} ${numbers.join('-')}`]
          const takeout = TAKEOUTS[`${sample.season} ${gameplayClass}`]
          return {
            loss: -Math.log(tableOf(sample, rule, gameplayClass).get(won)!),
            pool: cents === undefined ? null : -Math.log((1 - takeout!) / (cents / 1000)),
          }
        })
        expect(row.loss![rule], `class ${gameplayClass}`).toBeCloseTo(
          mean(losses.map(({ loss }) => loss)),
          DIGITS[rule],
        )
        const paid = losses.filter(({ pool }) => pool !== null)
        if (paid.length === 0) expect(row.pool).toBeNull()
        else {
          expect(row.pool!.races).toBe(paid.length)
          expect(row.pool!.loss[rule]).toBeCloseTo(mean(paid.map(({ loss }) => loss)), DIGITS[rule])
          expect(row.pool!.poolLoss).toBeCloseTo(mean(paid.map(({ pool }) => pool!)), 9)
          expect(row.pool!.verified).toBe(!UNCONFIRMED.has(gameplayClass))
        }
      }
    },
  )

  test('by their chance: how many there were, their mean chance, and how many won', () => {
    for (const gameplayClass of CLASSES) {
      const { bins } = record.calibration.find(
        (each) => each.gameplayClass === gameplayClass && each.rule === rule,
      )!
      const all = SHOWN.flatMap((sample) => {
        const won = WINNERS[gameplayClass]!(firstFourOf(sample))
        return [...tableOf(sample, rule, gameplayClass)].map(([name, chance]) => ({
          chance,
          won: won.includes(name),
        }))
      })
      expect(bins.reduce((sum, { combinations }) => sum + combinations, 0)).toBe(all.length)
      for (const { from, to, combinations, mean: given, observed, interval } of bins) {
        const within = all.filter(({ chance }) => chance >= from && chance < to)
        const won = within.filter((each) => each.won).length
        expect(combinations).toBe(within.length)
        expect(given).toBeCloseTo(mean(within.map(({ chance }) => chance)), 6)
        expect(observed).toBeCloseTo(won / within.length, 12)
        expect(interval!.low).toBeLessThanOrEqual(observed + 1e-12)
        expect(interval!.high).toBeGreaterThanOrEqual(observed)
      }
    }
  })
})

test('finishing times gain on exponents what the orders of the first four say, by season and in all', () => {
  // Also where too few start for combinations to be shown.
  const samples = [...SHOWN, SAMPLES[4]!]
  const gainOf = (sample: Sample): number => {
    const order = firstFourOf(sample).join('-')
    const [before, now] = RULES.map((rule) => Math.log(tableOf(sample, rule, 9).get(order)!)) as [
      number,
      number,
    ]
    return now - before
  }
  for (const { season, races, gain, interval } of record.gains) {
    const own = samples.filter((sample) => season === null || sample.season === season)
    expect(races).toBe(own.length)
    expect(gain).toBeCloseTo(mean(own.map(gainOf)), DIGITS.now)
    expect(interval.low).toBeLessThanOrEqual(gain)
    expect(interval.high).toBeGreaterThanOrEqual(gain)
  }
  expect(record.gains.map(({ season }) => season)).toEqual([null, 2020, 2021])
})

test('the pool’s own share and ours are of the same races', async () => {
  const [judged] = await judgeExotics(walkOf(), ['fundamental'], [2020, 2021], dividends())
  const { pools, stages, coverage } = judged!
  for (const { gameplayClass, races, gain } of pools) {
    const { pool } = record.classes.find((row) => row.gameplayClass === gameplayClass && row.season === null)!
    expect(races).toBe(pool!.races)
    expect(gain).toBeCloseTo(pool!.poolLoss - pool!.loss.now, 9)
  }
  const all = record.gains.find(({ season }) => season === null)!
  expect(stages.reduce((sum, { order, fitted }) => sum + order! - fitted, 0)).toBeCloseTo(all.gain, 9)
  for (const { gameplayClass, top10, top10Expected } of coverage) {
    const row = record.classes.find((each) => each.gameplayClass === gameplayClass && each.season === null)!
    expect(top10).toBe(row.top10.now)
    expect(top10Expected).toBeCloseTo(row.top10Expected.now, 9)
  }
})

test('models are judged the same in one thread and in two', async () => {
  const models = ['fundamental', 'fundamental', 'fundamental'] as const
  const judgeIn = (threads: number) => judgeExotics(walkOf(), models, [2020, 2021], dividends(), threads)
  const alone = await judgeIn(1)
  expect(alone.map(({ model }) => model)).toEqual(models)
  expect(alone[0]!.record!.classes.length).toBeGreaterThan(0)
  expect(await judgeIn(2)).toEqual(alone)
})
