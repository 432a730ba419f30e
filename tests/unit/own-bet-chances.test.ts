import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BetTable } from '../../domain/bet-table.ts'
import type { GameplayClass } from '../../domain/gameplay.ts'
import { combinationProbabilities } from '../../domain/class-tables.ts'
import type { OrderRule } from '../../domain/order-rule.ts'
import { ownWin, withOwnChances, type ChanceMix, type RaceVector } from '../../domain/own-bet-chances.ts'

const scaled = (weights: readonly number[]): number[] => {
  const sum = weights.reduce((total, each) => total + each, 0)
  return weights.map((each) => each / sum)
}

interface Bet {
  betType: number
  combination: string
}

/** One race with these bets, each predicted at 0.5. */
function tableOf(bets: readonly Bet[]): BetTable {
  const filled = (value: number): Float64Array => new Float64Array(bets.length).fill(value)
  return {
    size: bets.length,
    races: Int32Array.from([0, bets.length]),
    meetings: Int32Array.from([0, 1]),
    days: ['2026-11-18'],
    probability: filled(0.5),
    market: filled(0.1),
    finalOdds: filled(5),
    openingOdds: filled(6),
    lateOdds: filled(5),
    rank: filled(1),
    outcome: new Uint8Array(bets.length),
    profit: filled(-1000),
    win: Uint8Array.from(bets, ({ betType }) => (betType === 1 ? 1 : 0)),
  }
}

const namesOf = (bets: readonly Bet[]) => ({
  raceIds: bets.map(() => 'R'),
  betTypes: bets.map(({ betType }) => betType),
  combinations: bets.map(({ combination }) => combination),
})

const mixOf = (share: number, order: OrderRule, saved: Record<number, number> = {}): ChanceMix => ({
  share,
  order,
  saved: new Map(
    Object.keys(saved).length === 0
      ? []
      : [['R', new Map(Object.entries(saved).map(([number, chance]) => [Number(number), chance]))]],
  ),
})

test('every bet type follows from the mixed win probabilities, as in the table of all combinations', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: 0.05, max: 1 }), fc.double({ min: 0.05, max: 1 })), {
        minLength: 5,
        maxLength: 8,
      }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.oneof(
        fc.record({
          second: fc.double({ min: 0.4, max: 1.2, noNaN: true }),
          third: fc.double({ min: 0.4, max: 1.2, noNaN: true }),
          fourth: fc.double({ min: 0.4, max: 1.2, noNaN: true }),
        }),
        fc.record({ shape: fc.integer({ min: 1, max: 32 }) }),
      ),
      (weights, share, order) => {
        fc.pre(weights.flat().every((each) => Number.isFinite(each)))
        const model = scaled(weights.map(([each]) => each))
        const market = scaled(weights.map(([, each]) => each))
        // Saddle numbers are not indexes: the second horse has number 12.
        const numbers = weights.map((_, index) => (index === 1 ? 12 : index + 1))
        const vector: RaceVector = { numbers, model, market, places: 3 }
        // The mixture written once more: exp of the weighted logarithms, scaled.
        const win = scaled(
          model.map((p, horse) => Math.exp((1 - share) * Math.log(p) + share * Math.log(market[horse]!))),
        )
        const tables = combinationProbabilities(win, order, 3)
        const classes: GameplayClass[] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
        const expected = classes.flatMap((id) =>
          tables[id]
            .all()
            .slice(0, 20)
            .map(({ horses, probability }) => ({
              betType: id,
              combination: horses.map((horse) => numbers[horse]).join('-'),
              probability,
            })),
        )
        const { bets, races } = withOwnChances(
          tableOf(expected),
          namesOf(expected),
          () => vector,
          mixOf(share, order),
        )
        expect(races).toBe(1)
        for (const [at, { probability }] of expected.entries())
          // A win chance that differs in its last bit may tip which of two equals is summed: integrals are exact to 1e-7.
          expect(bets.probability[at]).toBeCloseTo(probability, 'shape' in order ? 6 : 9)
        for (const id of classes) {
          const own = expected.flatMap(({ betType }, at) => (betType === id ? [at] : []))
          const ranked = own.toSorted((a, b) => bets.rank[a]! - bets.rank[b]!)
          expect(ranked.map((at) => bets.rank[at])).toEqual(ranked.map((_, place) => place + 1))
          for (const [place, at] of ranked.entries())
            if (place > 0)
              expect(bets.probability[at]).toBeLessThanOrEqual(bets.probability[ranked[place - 1]!]!)
        }
      },
    ),
    { numRuns: 100 },
  )
})

test('stored probabilities replace those of their race, and the others share what is left', () => {
  const vector: RaceVector = { numbers: [1, 2, 3], model: [0.5, 0.3, 0.2], market: null, places: 3 }
  expect(ownWin(vector, mixOf(0.7, { second: 1, third: 1, fourth: 1 }), 'R')).toEqual([0.5, 0.3, 0.2])
  const own = ownWin(vector, mixOf(0, { second: 1, third: 1, fourth: 1 }, { 2: 0.6 }), 'R')
  expect(own[1]).toBeCloseTo(0.6, 12)
  expect(own[0]! / own[2]!).toBeCloseTo(2.5, 12)
  expect(own.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 12)
})

test('a race without every probability keeps what was predicted', () => {
  const bets = [{ betType: 1, combination: '4' }]
  const mix = mixOf(0.5, { second: 1, third: 1, fourth: 1 })
  const without = withOwnChances(tableOf(bets), namesOf(bets), () => undefined, mix)
  expect([without.races, without.bets.probability[0]]).toEqual([0, 0.5])
  const other: RaceVector = { numbers: [1, 2], model: [0.6, 0.4], market: null, places: 3 }
  const missing = withOwnChances(tableOf(bets), namesOf(bets), () => other, mix)
  expect([missing.races, missing.bets.probability[0]]).toEqual([1, 0.5])
})
