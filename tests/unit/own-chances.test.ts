import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { marketOf, mixed, MAX_CHANCE, withByHand } from '../../domain/own-chances.ts'

const sumOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0)

describe('own chances', () => {
  test('the market is the odds without their margin', () => {
    expect(marketOf([2, 4, 4])).toEqual([0.5, 0.25, 0.25])
    const margin = marketOf([1.8, 3.6, 3.6])!
    expect(margin.map((p) => Math.round(p * 1000))).toEqual([500, 250, 250])
    expect(marketOf([2, null])).toBeNull()
    expect(marketOf([])).toBeNull()
  })

  test('a mix begins with the model, ends with the market, and lies between in logarithms', () => {
    const [model, market] = [
      [0.6, 0.3, 0.1],
      [0.2, 0.3, 0.5],
    ]
    expect(mixed(model, market, 0).map((p) => p.toFixed(9))).toEqual(model.map((p) => p.toFixed(9)))
    expect(mixed(model, market, 1).map((p) => p.toFixed(9))).toEqual(market.map((p) => p.toFixed(9)))
    const half = mixed(model, market, 0.5)
    expect(half[0]! / half[2]!).toBeCloseTo(Math.sqrt((0.6 / 0.1) * (0.2 / 0.5)), 9)
  })

  test('one horse by hand: the others keep their proportions', () => {
    const changed = withByHand([0.5, 0.3, 0.2], [null, 0.6, null])
    expect(changed[1]).toBeCloseTo(0.6, 12)
    expect(changed[0]! / changed[2]!).toBeCloseTo(2.5, 9)
  })

  test('whatever is set, chances are positive and sum to 1', () => {
    const chance = fc.double({ min: 0.01, max: MAX_CHANCE, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(chance, fc.option(chance)), { minLength: 2, maxLength: 14 }),
        (horses) => {
          const total = sumOf(horses.map(([p]) => p))
          const found = withByHand(
            horses.map(([p]) => p / total),
            horses.map(([, own]) => own),
          )
          expect(sumOf(found)).toBeCloseTo(1, 9)
          expect(found.every((p) => p > 0)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})
