import { describe, expect, test } from 'vitest'
import { ANY_BET, chooseBets } from '../../domain/bet-table.ts'
import {
  drawdownOf,
  fanRun,
  losingRun,
  profitByMonth,
  returnOf,
  stakeSizes,
} from '../../domain/staking-summary.ts'
import { LEVEL_TEN, runStakes, type StakePlan } from '../../domain/staking.ts'
import { bestByChance, normalQuantile } from '../../domain/statistics.ts'
import { seededRandom } from '../../domain/random.ts'
import { FIRST_SETTINGS, planOf, readSettings, writeSettings } from '../../src/workspace/lab/lab-settings.ts'
import { tableOf, writtenBet } from '../support/reference-staking.ts'

describe('drawdown', () => {
  const days = ['01', '02', '03', '04', '05', '06'].map((day) => `2026-01-${day}`)
  test('depth, its days, recovery, and what is missing now', () => {
    // Profit to date: 500, 200, -100, 600, 550, 400.
    expect(drawdownOf(days, [500, -300, -300, 700, -50, -150])).toEqual({
      depth: 600,
      from: '2026-01-01',
      lowest: '2026-01-03',
      recovered: '2026-01-04',
      now: 200,
    })
  })
  test('one that is not over, and none at all', () => {
    expect(drawdownOf(days, [100, -300, 0, 100, 0, 0])).toMatchObject({
      depth: 300,
      recovered: null,
      now: 200,
    })
    expect(drawdownOf(days, [1, 1, 1, 1, 1, 1])).toMatchObject({ depth: 0, from: null, now: 0 })
  })
})

const DAYS = Array.from(
  { length: 40 },
  (_, day) => `2026-${String(1 + (day % 4)).padStart(2, '0')}-15`,
).toSorted()
const random = seededRandom(7)
const LIST = DAYS.flatMap((_, meeting) =>
  [0, 1, 2].map((race) =>
    random() < 0.3
      ? writtenBet({ meeting, race, outcome: 'hit', profit: 2500 })
      : writtenBet({ meeting, race, ...(random() < 0.05 ? { outcome: 'void', profit: 0 } : {}) }),
  ),
)
const TABLE = tableOf(LIST, DAYS)
const ALL = chooseBets(TABLE, ANY_BET)

test('the losing run leaves void bets out, months add up, the return has its interval', () => {
  const run = runStakes(TABLE, ALL, ANY_BET, LEVEL_TEN, { detail: true })
  let [now, longest] = [0, 0]
  for (const { outcome } of LIST) {
    if (outcome === 'void') continue
    now = outcome === 'miss' ? now + 1 : 0
    longest = Math.max(longest, now)
  }
  expect(longest).toBeGreaterThan(3)
  expect(losingRun(TABLE, run.stakes!)).toBe(longest)
  const months = profitByMonth(DAYS, run)
  expect(months.size).toBe(4)
  expect([...months.values()].reduce((sum, each) => sum + each, 0)).toBe(run.profit)
  const returned = returnOf(run)!
  expect(returned.ratio).toBeCloseTo(run.profit / run.staked, 12)
  expect(returned.interval!.low).toBeLessThan(returned.ratio)
  const sizes = stakeSizes(run.stakes!, 1000)
  expect(sizes).toEqual([{ upTo: 1000, bets: LIST.length }])
  expect(stakeSizes([0, 500, 1000, 24_000], 1000)).toEqual([
    { upTo: 2000, bets: 2 },
    { upTo: 24_000, bets: 1 },
  ])
})

describe('the fan of resampled meetings', () => {
  const fanOf = (plan: StakePlan, courses = 600) => {
    const fan = fanRun(TABLE, ALL, ANY_BET, plan)
    for (let course = 0; course < courses; course += 1) fan.step()
    return fan.fan()
  }
  test('is the same for the same bets, ordered, and spreads as drawn meetings do', () => {
    const fan = fanOf(LEVEL_TEN)
    expect(fan).toEqual(fanOf(LEVEL_TEN))
    expect(fan.at.at(-1)).toBe(40)
    for (const [point] of fan.at.entries())
      expect(fan.lines.map((line) => line[point]!)).toEqual(
        fan.lines.map((line) => line[point]!).toSorted((a, b) => a - b),
      )
    const { profit, profitAt } = runStakes(TABLE, ALL, ANY_BET, LEVEL_TEN)
    const mean = profit / profitAt.length
    const deviation = Math.sqrt(profitAt.reduce((sum, each) => sum + (each - mean) ** 2, 0))
    // Final values of level stakes are sums of 40 draws: normal, centred on the profit itself.
    expect(fan.lines[2]!.at(-1)! - profit).toBeLessThan(deviation * 0.2)
    const width = fan.lines[4]!.at(-1)! - fan.lines[0]!.at(-1)!
    expect(width / (2 * 1.645 * deviation)).toBeGreaterThan(0.85)
    expect(width / (2 * 1.645 * deviation)).toBeLessThan(1.15)
    expect(fan.chances).toBeNull()
  })
  test('tells the chances of a fall, of being unable to stake and of doubling', () => {
    // A bankroll of one stake is lost if the first bet misses.
    const poor = fanOf({ ...LEVEL_TEN, bankroll: 1000 })
    expect(poor.chances!.stopped).toBeGreaterThan(0.4)
    const { falls, stopped } = poor.chances!
    expect(falls[0]).toBe(stopped)
    expect(falls).toEqual(falls.toSorted((a, b) => b - a))
    expect(fanOf({ ...LEVEL_TEN, bankroll: 100_000_000 }).chances).toEqual({
      falls: [0, 0, 0],
      stopped: 0,
      doubled: 0,
    })
  })
  test('a plan that dies above its last unit has no chance of 0: it falls, and can no longer stake', () => {
    // Every bet loses 2% of what is left of HK$10,000: at HK$500 that is no longer a unit, and never a cent less.
    const days = Array.from({ length: 400 }, (_, day) => `day ${day}`)
    const table = tableOf(
      days.map((_, meeting) => writtenBet({ meeting })),
      days,
    )
    const chosen = chooseBets(table, ANY_BET)
    const plan: StakePlan = { ...LEVEL_TEN, bankroll: 1_000_000, rule: { kind: 'share', share: 0.02 } }
    const run = runStakes(table, chosen, ANY_BET, plan, { detail: true })
    expect(1_000_000 + run.profit).toBeGreaterThan(plan.unit)
    expect(run.rounded).toBeGreaterThan(100)
    expect(run.roundedLater).toBe(run.rounded)
    expect(days.length - run.bets).toBe(run.rounded)
    const fan = fanRun(table, chosen, ANY_BET, plan)
    for (let course = 0; course < 20; course += 1) fan.step()
    expect(fan.fan().chances).toEqual({ falls: [1, 1, expect.any(Number) as number], stopped: 1, doubled: 0 })
  })
  test('unknown dividends make the chances of the two assumptions differ', () => {
    const days = Array.from({ length: 60 }, (_, day) => `day ${day}`)
    const list = days.map((_, meeting) =>
      meeting % 5 === 0
        ? writtenBet({ meeting, outcome: 'hit', profit: null, market: 0.05 })
        : writtenBet({ meeting }),
    )
    const table = tableOf(list, days)
    const plan: StakePlan = { ...LEVEL_TEN, bankroll: 40_000 }
    const stoppedAt = (unknown: 'worst' | 'best'): number => {
      const fan = fanRun(table, chooseBets(table, ANY_BET), ANY_BET, plan, unknown)
      for (let course = 0; course < 100; course += 1) fan.step()
      return fan.fan().chances!.stopped
    }
    expect(stoppedAt('worst')).toBeGreaterThan(0.9)
    expect(stoppedAt('best')).toBeLessThan(0.3)
  })
})

test('the best of many is judged by what chance gives: expected largest of normal draws', () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.959964, 4)
  // Tabulated expected values of the largest of n (Harter 1961): 1.16296 of 5, 1.86748 of 20, 2.50759 of 100.
  for (const [count, expected] of [
    [1, 0],
    [5, 1.16296],
    [20, 1.86748],
    [100, 2.50759],
  ] as const)
    expect(Math.abs(bestByChance(count) - expected)).toBeLessThan(0.02)
})

test('the words of a box are read as one that its pool allows, without what boxes have not', () => {
  const words =
    'boxes~box:trio~bankers:2~legs:5~order:market~chance-from:0.05~meeting:3~against~box:first4~legs:6'
  expect(writeSettings(readSettings(words))).toBe(words)
  expect(readSettings(words).box).toEqual({ pool: 6, bankers: 2, legs: 5, by: 'market' })
  expect(readSettings('boxes').box).toEqual({ pool: 9, bankers: 0, legs: 4, by: 'chances' })
  expect(readSettings('boxes~box:quinella~bankers:2~legs:9').box).toMatchObject({ bankers: 1, legs: 7 })
  expect(readSettings('boxes~box:win~bankers:1~legs:0').box).toMatchObject({ pool: 1, bankers: 0, legs: 1 })
  expect(readSettings('boxes~box:tierce~legs:2').box).toMatchObject({ pool: 7, legs: 3 })
  expect(readSettings('boxes~box:double~legs:4.5~order:luck').box).toEqual(FIRST_SETTINGS.box)
  const single = 'value-from:1.1~edge:0.1~odds-to:20~rank:3~race:1~kelly:0.25~pool:100000'
  expect(writeSettings(readSettings(`boxes~${single}`))).toBe('boxes~bank:1000000')
  expect(writeSettings(readSettings(`boxes~against~${single}`))).toBe('boxes~against~bank:1000000')
})

test('stakes by a column have its slot as their word', () => {
  expect(readSettings('own_3:1000').plan.rule).toEqual({ kind: 'column', column: 'own_3', each: 1000 })
  expect(writeSettings(readSettings('starters~own_3:1000~bank:500000'))).toBe(
    'starters~own_3:1000~bank:500000',
  )
  for (const word of ['own_7:100', 'own_1:0', 'own_1:-5', 'own_1', 'column:100'])
    expect(readSettings(word).plan.rule).toEqual(FIRST_SETTINGS.plan.rule)
  // A box has no single horse.
  expect(readSettings('boxes~own_1:100').plan.rule).toEqual(FIRST_SETTINGS.plan.rule)
})

test('settings survive their words, and what is not understood is left out', () => {
  const words =
    'starters~opening~value-from:1.1~odds-to:20~rank:3~edge:0.05~race:1~meeting:3~kelly:0.25~bank:500000~cap-bet:20000~cap-share:0.1~pool:100000000~commission:200~rebate:1000~rebate-from:1000000~by:jockey'
  expect(writeSettings(readSettings(words))).toBe(words)
  // The other plan begins from the initial settings, and has neither bets nor groups of its own.
  const both = `${words}~against~odds-from:3~level:2000~mix:0.5`
  expect(writeSettings(readSettings(both))).toBe(both)
  expect(readSettings('against').against).toEqual(planOf(FIRST_SETTINGS))
  expect(writeSettings(readSettings('against~starters~by:jockey'))).toBe('against')
  expect(writeSettings(FIRST_SETTINGS)).toBe('')
  expect(readSettings(null)).toEqual(FIRST_SETTINGS)
  expect(
    readSettings(
      'nonsense~value-from:x~odds-from:-3~kelly:7~unit:0~commission:99999~constructor:1~by:constructor',
    ),
  ).toEqual(FIRST_SETTINGS)
  // Without a bankroll, proportional stakes would always be zero.
  expect(readSettings('share:0.02').plan.bankroll).toBe(1_000_000)
})
