import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HIT, MISS, VOID, ANY_BET, type BetTable } from '../../domain/bet-table.ts'
import {
  boxText,
  combinationsOf,
  expectedWinners,
  fewestLegs,
  mostBankers,
  settleBox,
  type Box,
} from '../../domain/boxes.ts'
import { combinationChances } from '../../domain/combination-chance.ts'
import { Finish, type Finisher } from '../../domain/finish.ts'
import { choices, combinationText, GAMEPLAYS, gameplayOf, type GameplayClass } from '../../domain/gameplay.ts'
import { settle, type DividendLine } from '../../domain/settlement.ts'
import { LEVEL_TEN, runStakes } from '../../domain/staking.ts'

/** Boxes and bankers against every combination of the pool, one by one. */

/** Every combination of the field that a box has, by the words of a ticket and not by the code's formulas. */
function allOf(box: Box, horses: readonly number[], field: readonly number[]): number[][] {
  const { size, rule } = gameplayOf(box.pool)
  const bankers = horses.slice(0, box.bankers)
  const legs = horses.slice(box.bankers)
  return choices(field, size, rule === 'order').filter((combination) => {
    if (combination.filter((horse) => legs.includes(horse)).length !== size - box.bankers) return false
    return rule === 'order'
      ? bankers.every((banker, at) => combination[at] === banker)
      : bankers.every((banker) => combination.includes(banker))
  })
}

const FIELD = [1, 2, 3, 4, 5, 6, 7, 8]

const boxes = fc
  .record({
    pool: fc.constantFrom(...GAMEPLAYS.map((gameplay) => gameplay.class)),
    wanted: fc.nat(2),
    more: fc.nat(2),
    horses: fc.shuffledSubarray(FIELD, { minLength: 8 }),
  })
  .map(({ pool, wanted, more, horses }) => {
    const bankers = Math.min(wanted, mostBankers(pool))
    const box = { pool, bankers, legs: fewestLegs(pool, bankers) + more }
    return { box, horses: horses.slice(0, box.bankers + box.legs) }
  })

/** A finish with dead heats, horses without a place, and horses that did not start. */
const finishes = fc
  .record({
    order: fc.shuffledSubarray(FIELD, { minLength: 8 }),
    ties: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
    absent: fc.nat(2),
    unplaced: fc.nat(1),
  })
  .map(({ order, ties, absent, unplaced }): Finisher[] => {
    const ran = order.slice(absent + unplaced)
    let place = 1
    const placed = ran.map((horseNo, at): Finisher => {
      // About one in four ends in a dead heat with the horse before it.
      if (at > 0 && !(ties[at] && ties[(at + 3) % 8])) place = at + 1
      return { horseNo, started: true, place }
    })
    const rest = order
      .slice(0, absent + unplaced)
      .map((horseNo, at): Finisher => ({ horseNo, started: at >= absent, place: null }))
    return [...placed, ...rest]
  })

type LineOf = (combination: string, at: number) => DividendLine
const line =
  (pool: GameplayClass): LineOf =>
  (combination, at) => ({
    gameplayClass: pool,
    combination,
    status: 'paid',
    dividendCents: 1500 + 970 * at,
  })

/** Dividends of a pool: of some of the winners, of none, and perhaps refunds and a line without a figure. */
const linesOf = (
  pool: GameplayClass,
  finishers: readonly Finisher[],
  places: number,
  { known, refunds, all, unknown }: { known: number; refunds: number[]; all: boolean; unknown: boolean },
): DividendLine[] => {
  const { size, rule } = gameplayOf(pool)
  const race = { finish: new Finish(finishers), places, dividends: [line(pool)('99-98-97-96', 0)] }
  const every = choices(FIELD, size, rule === 'order')
  const winning = every.filter((horses) => settle(pool, horses, race).outcome === 'hit')
  const paid = winning.slice(0, known).map((horses, at) => line(pool)(combinationText(pool, horses), at))
  const refunded = refunds.map((at): DividendLine => ({
    gameplayClass: pool,
    combination: combinationText(pool, every[at % every.length]!),
    status: 'refund',
    dividendCents: null,
  }))
  const open: DividendLine[] = winning.slice(known).flatMap((horses) =>
    unknown
      ? [
          {
            gameplayClass: pool,
            combination: combinationText(pool, horses),
            status: 'unknown',
            dividendCents: null,
          },
        ]
      : [],
  )
  const whole: DividendLine[] = all
    ? [{ gameplayClass: pool, combination: '', status: 'refund', dividendCents: null }]
    : []
  const lines = [...paid, ...open, ...refunded, ...whole]
  return lines.filter(
    ({ combination }, at) => lines.findIndex((each) => each.combination === combination) === at,
  )
}

describe('a box', () => {
  test('has the combinations of its ticket, and no others', () => {
    fc.assert(
      fc.property(boxes, ({ box, horses }) => {
        expect(combinationsOf(box)).toBe(allOf(box, horses, FIELD).length)
      }),
    )
  })

  test.each<[Partial<Box> & { pool: GameplayClass }, number]>([
    [{ pool: 1, legs: 3 }, 3],
    [{ pool: 3, legs: 4 }, 6],
    [{ pool: 5, legs: 4 }, 12],
    [{ pool: 5, bankers: 1, legs: 3 }, 3],
    [{ pool: 6, bankers: 2, legs: 3 }, 3],
    [{ pool: 7, bankers: 1, legs: 3 }, 6],
    [{ pool: 8, legs: 6 }, 15],
    [{ pool: 9, legs: 4 }, 24],
    // One banker and three legs in a quartet are six bets at the Hong Kong Jockey Club.
    [{ pool: 9, bankers: 1, legs: 3 }, 6],
    [{ pool: 9, legs: 3 }, 0],
  ])('%j has %i combinations', (box, count) => {
    expect(combinationsOf({ bankers: 0, legs: 0, ...box })).toBe(count)
  })

  test('is written as on a ticket', () => {
    expect(boxText({ pool: 4, bankers: 1, legs: 3 }, [3, 7, 1, 4])).toBe('3 > 1,4,7')
    expect(boxText({ pool: 8, bankers: 2, legs: 3 }, [9, 2, 7, 1, 4])).toBe('2,9 > 1,4,7')
    expect(boxText({ pool: 9, bankers: 2, legs: 3 }, [9, 2, 7, 1, 4])).toBe('9 > 2 > 1,4,7')
    expect(boxText({ pool: 9, bankers: 0, legs: 4 }, [10, 2, 7, 1])).toBe('1,2,7,10')
  })

  test('expects as many winners as its combinations one by one', () => {
    fc.assert(
      fc.property(
        boxes,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 8, maxLength: 8 }),
        ({ box, horses }, parts) => {
          const sum = parts.reduce((total, part) => total + part, 0)
          const chances = combinationChances(
            parts.map((part) => part / sum),
            { shape: 24 },
            3,
          )
          const indexes = horses.map((horse) => horse - 1)
          const one = allOf(box, horses, FIELD).reduce(
            (total, combination) =>
              total +
              chances.of(
                box.pool,
                combination.map((horse) => horse - 1),
              ),
            0,
          )
          // A set is one integral and its orders are as many: they agree to the grid's precision.
          expect(expectedWinners(box, indexes, chances)).toBeCloseTo(one, 6)
        },
      ),
      { numRuns: 60 },
    )
  })
})

const settledBoxes = fc.record({
  made: boxes,
  finishers: finishes,
  places: fc.constantFrom(0, 2, 3),
  known: fc.nat(3),
  refunds: fc.array(fc.nat(300), { maxLength: 2 }),
  all: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
  unknown: fc.boolean(),
})

test('a box is settled as each of its combinations is, with dead heats, refunds and missing dividends', () => {
  let [refunded, unpriced, several] = [0, 0, 0]
  fc.assert(
    fc.property(settledBoxes, ({ made: { box, horses }, finishers, places, ...drawn }) => {
      const dividends = linesOf(box.pool, finishers, places, drawn)
      const race = { finish: new Finish(finishers), places, dividends }
      const settled = settleBox(box, horses, race)
      const each = allOf(box, horses, FIELD).map((combination) => settle(box.pool, combination, race))
      const hits = each.filter(({ outcome }) => outcome === 'hit')
      expect(settled.live).toBe(each.filter(({ outcome }) => outcome !== 'void').length)
      expect(settled.winners).toBe(hits.length)
      expect(settled.paid).toBe(hits.reduce((sum, hit) => sum + (hit.paidOdds ?? 0) * 1000, 0))
      expect(settled.unpriced).toHaveLength(hits.filter(({ profitCents }) => profitCents === null).length)
      expect(settled.unheld).toBe(dividends.length === 0)
      if (settled.live < each.length && settled.live > 0) refunded += 1
      if (settled.unpriced.length > 0) unpriced += 1
      if (settled.winners > 1) several += 1
    }),
    { numRuns: 3000 },
  )
  // Several winners are drawn in one run of fifty: 60 of them with a standard deviation of 10.
  for (const seen of [refunded, unpriced, several]) expect(seen).toBeGreaterThan(10)
})

/** Boxes of one race each and meeting as a table for staking. */
function tableOf(
  rows: readonly { combinations: number; live: number; paid: number | null; hit: boolean }[],
): BetTable {
  const columns = (of: (row: (typeof rows)[number]) => number): Float64Array => Float64Array.from(rows, of)
  const nothing = columns(() => Number.NaN)
  const at = Int32Array.from({ length: rows.length + 1 }, (_, index) => index)
  return {
    size: rows.length,
    races: at,
    meetings: at,
    days: rows.map((_, index) => `2026-01-${String(index + 1).padStart(2, '0')}`),
    probability: columns(() => 0.1),
    market: nothing,
    finalOdds: nothing,
    openingOdds: nothing,
    lateOdds: nothing,
    rank: columns(() => 1),
    outcome: Uint8Array.from(rows, ({ live, hit }) => (live === 0 ? VOID : hit ? HIT : MISS)),
    profit: columns(({ paid, live }) => (paid === null ? Number.NaN : paid - live * 1000)),
    win: new Uint8Array(rows.length),
    boxes: {
      combinations: columns(({ combinations }) => combinations),
      live: columns(({ live }) => live),
      winners: columns(({ hit }) => (hit ? 1 : 0)),
      worst: columns(({ paid, live, hit }) => (paid ?? (hit ? 1000 : 0)) - live * 1000),
      best: columns(({ paid, live, hit }) => (paid ?? (hit ? 50_000 : 0)) - live * 1000),
    },
  }
}

describe('boxes are staked', () => {
  test('with the same on each combination, whose sum is what they would be as single bets', () => {
    const race = fc.record({
      combinations: fc.integer({ min: 1, max: 120 }),
      refunded: fc.nat(10),
      paid: fc.nat(400_000),
      hit: fc.boolean(),
    })
    const stakes = fc.integer({ min: 1, max: 500 })
    fc.assert(
      fc.property(fc.array(race, { minLength: 1, maxLength: 20 }), stakes, (races, tens) => {
        const rows = races.map(({ combinations, refunded, paid, hit }) => {
          const live = Math.max(0, combinations - refunded)
          return { combinations, live, paid: hit && live > 0 ? paid : 0, hit }
        })
        const table = tableOf(rows)
        const plan = { ...LEVEL_TEN, rule: { kind: 'level', stake: tens * 1000 } as const }
        const run = runStakes(table, new Uint8Array(table.size).fill(1), ANY_BET, plan)
        expect(run.staked).toBe(rows.reduce((sum, { live }) => sum + live * tens * 1000, 0))
        expect(run.profit).toBe(rows.reduce((sum, { live, paid }) => sum + tens * (paid - live * 1000), 0))
      }),
    )
  })

  test('in whole units on each combination: a limit takes the units that it has room for', () => {
    const table = tableOf([{ combinations: 24, live: 24, paid: 0, hit: false }])
    const staked = (maxBet: number): number =>
      runStakes(table, Uint8Array.of(1), ANY_BET, {
        ...LEVEL_TEN,
        rule: { kind: 'level', stake: 10_000 },
        maxBet,
      }).staked
    expect(staked(239_999)).toBe(216_000)
    expect(staked(100_000)).toBe(96_000)
    expect(staked(23_999)).toBe(0)
  })

  test('a share of the bankroll is one of the whole box', () => {
    const table = tableOf([{ combinations: 6, live: 6, paid: 0, hit: false }])
    const plan = { ...LEVEL_TEN, bankroll: 1_000_000, rule: { kind: 'share', share: 0.02 } as const }
    // 2% of HK$10,000 is HK$200: three units of HK$10 on each of six.
    expect(runStakes(table, Uint8Array.of(1), ANY_BET, plan).staked).toBe(18_000)
  })

  test('a winner without a dividend is paid its own stake at worst, and its fair price at best', () => {
    const table = tableOf([{ combinations: 24, live: 20, paid: null, hit: true }])
    const run = (unknown: 'out' | 'worst' | 'best') =>
      runStakes(table, Uint8Array.of(1), ANY_BET, LEVEL_TEN, { unknown })
    expect(run('out')).toMatchObject({ bets: 0, unknown: 1, unknownHits: 1, profit: 0 })
    expect(run('worst')).toMatchObject({ staked: 20_000, profit: -19_000 })
    expect(run('best')).toMatchObject({ staked: 20_000, profit: 30_000 })
  })
})
