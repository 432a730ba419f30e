import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { combinationChances } from '../../domain/combination-chance.ts'
import { combinationProbabilities } from '../../domain/class-tables.ts'
import { combinationCount, GAMEPLAYS } from '../../domain/gameplay.ts'
import { solveRates } from '../../domain/order-strengths.ts'
import { drawOrders } from '../support/draw-orders.ts'

const SHAPES = [1, 2, 3, 4, 8, 12, 16, 24, 32]
const VECTOR = [0.4, 0.25, 0.15, 0.12, 0.08]
const FOURTEEN = [0.3, 0.2, 0.12, 0.1, 0.08, 0.06, 0.04, 0.03, 0.02, 0.02, 0.01, 0.01, 0.005, 0.005]
const even = (size: number, sum = 1): number[] => Array.from({ length: size }, () => sum / size)
/** Very unequal chances, some of them none at all. */
const UNEQUAL: number[][] = [
  [0.9999, 0.0001],
  [1 - 1e-7, 1e-7],
  [1, 0],
  [0.5, 0.5, 0],
  [0.9999 - 1e-7, 0.0001, 1e-7, 0],
  [1, 0, 0, 0, 0, 0],
  [0.9999, ...even(23, 0.0001)],
  [0.5, 0.5 - 1e-6, ...even(12, 1e-6)],
  [...even(12, 1), ...even(12, 0)],
]

const field = fc
  .array(fc.double({ min: 1e-7, max: 1, noNaN: true }), { minLength: 4, maxLength: 24 })
  .map((weights) => weights.map((weight) => weight / weights.reduce((sum, each) => sum + each, 0)))

/** Win chances under rates: Simpson's rule over the logarithm of time, with nothing of the code's own grid. */
function winsOf(rates: ArrayLike<number>, shape: number): number[] {
  const wins = Array.from(rates, () => 0)
  let factorial = 1
  for (let power = 2; power < shape; power += 1) factorial *= power
  const [from, to, steps] = [-22, 10, 6400]
  for (let step = 0; step <= steps; step += 1) {
    const time = Math.exp(from + ((to - from) * step) / steps)
    const weight = ((to - from) / steps / 3) * (step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2)
    const logs = Array.from(rates, (rate) => {
      let [term, sum] = [1, 1]
      for (let power = 1; power < shape; power += 1) {
        term *= (rate * time) / power
        sum += term
      }
      return Math.log(sum) - rate * time
    })
    const all = logs.reduce((sum, log) => sum + log, 0)
    for (const [runner, log] of logs.entries()) {
      const x = rates[runner]! * time
      wins[runner]! += (weight * Math.exp(shape * Math.log(x) - x + all - log)) / factorial
    }
  }
  return wins
}

describe('strengths', () => {
  test.each(SHAPES)('meet the win chances to a millionth with shape %i', (shape) => {
    for (const win of [VECTOR, FOURTEEN, even(24), ...UNEQUAL]) {
      const wins = winsOf(solveRates(win, shape), shape)
      for (const [runner, chance] of win.entries())
        expect(Math.abs(wins[runner]! - chance)).toBeLessThan(1e-6)
    }
  })

  test('meet small chances in proportion', () => {
    const win = [0.7, 0.2, 0.0999, 0.000099, 1e-6]
    const wins = winsOf(solveRates(win, 4), 4)
    for (const [runner, chance] of win.entries()) expect(wins[runner]! / chance).toBeCloseTo(1, 5)
  })

  test('are of two runners what the closed form says', () => {
    // P(first of two) = Σ C(3 + k, k) p⁴ q^k for k < 4, with p the first's share of the rates.
    const [one, other] = solveRates([0.73, 0.27], 4)
    const [p, q] = [one! / (one! + other!), other! / (one! + other!)]
    expect(p ** 4 * (1 + 4 * q + 10 * q ** 2 + 20 * q ** 3)).toBeCloseTo(0.73, 7)
  })

  test('are the same to the bit, and follow their runner when the order of the field changes', () => {
    const rates = solveRates(FOURTEEN, 4)
    expect(solveRates(FOURTEEN, 4)).toEqual(rates)
    const turned = solveRates(FOURTEEN.toReversed(), 4).toReversed()
    for (const [runner, rate] of rates.entries()) expect(turned[runner]! / rate).toBeCloseTo(1, 7)
  })
})

describe('combinations', () => {
  test('with shape 1 are those of plain Harville, in all nine classes', () => {
    for (const win of [[0.6, 0.4], [0.5, 0.3, 0.2], VECTOR, FOURTEEN, even(20)]) {
      const plain = combinationProbabilities(win, { second: 1, third: 1, fourth: 1 }, 3)
      const tables = combinationProbabilities(win, { shape: 1 }, 3)
      for (const { class: classId } of GAMEPLAYS) {
        expect(tables[classId].length).toBe(plain[classId].length)
        let worst = 0
        for (const { horses, probability } of plain[classId].all())
          worst = Math.max(worst, Math.abs(tables[classId].probabilityOf(horses) - probability))
        expect(worst).toBeLessThan(1e-6)
      }
    }
  })

  test('come about as often in drawn finishing times', () => {
    const draws = 200_000
    const table = combinationProbabilities(VECTOR, { shape: 4 }, 3)[9]
    const counts = drawOrders(solveRates(VECTOR, 4), 4, 4, draws, 1)
    let square = 0
    for (const { horses, probability } of table.all()) {
      const expected = draws * probability
      square += ((counts.get(horses.join('-')) ?? 0) - expected) ** 2 / expected
    }
    // Chi-square of 119 degrees of freedom: beyond 190 in one of 30,000 seeds.
    expect(square).toBeLessThan(190)
  })

  test('sum to what they must, and those of more horses to those of fewer', () => {
    fc.assert(
      fc.property(field, fc.constantFrom(...SHAPES), (win, shape) => {
        const tables = combinationProbabilities(win, { shape }, 3)
        for (const { class: classId } of GAMEPLAYS) {
          expect(tables[classId].length).toBe(combinationCount(classId, win.length))
          if (tables[classId].length === 0) continue
          const sum = tables[classId].all().reduce((all, { probability }) => all + probability, 0)
          const wanted = classId === 2 ? Math.min(3, win.length) : classId === 4 ? 3 : 1
          expect(Math.abs(sum - wanted)).toBeLessThan(1e-6)
        }
        for (const [horse, chance] of win.entries()) {
          let pairs = 0
          for (const other of win.keys())
            if (other !== horse) pairs += tables[5].probabilityOf([horse, other])
          expect(Math.abs(pairs - chance)).toBeLessThan(1e-6)
        }
      }),
      { numRuns: 25 },
    )
  })

  test('of very unequal chances are numbers, and sum to what they must', () => {
    for (const shape of [1, 4, 12, 32]) {
      for (const win of UNEQUAL) {
        const tables = combinationProbabilities(win, { shape }, 3)
        const chances = combinationChances(win, { shape }, 3)
        for (const { class: classId, rule } of GAMEPLAYS) {
          const table = tables[classId]
          let [sum, wrong] = [0, 0]
          for (let row = 0; row < table.length; row += 1) {
            const probability = table.probability(row)
            if (!(probability >= 0 && probability <= 1 + 1e-9)) wrong += 1
            sum += probability
          }
          expect(wrong).toBe(0)
          if (rule !== 'among' && table.length > 0) expect(Math.abs(sum - 1)).toBeLessThan(1e-6)
          const [first] = table.topRows(1)
          if (first === undefined) continue
          expect(chances.of(classId, table.horses(first))).toBeCloseTo(table.probability(first), 9)
        }
      }
    }
  })

  test('the larger the shape, the less certain is the favourite to be second behind another winner', () => {
    const second = [1, 2, 4, 8, 24].map((shape) => {
      const chances = combinationChances(VECTOR, { shape }, 3)
      return chances.of(5, [1, 0]) / VECTOR[1]!
    })
    expect(second).toEqual(second.toSorted((a, b) => b - a))
    expect(second[0]! - second.at(-1)!).toBeGreaterThan(0.05)
  })

  test.each([[[0.5, 0.6]], [[1.1, -0.1]], [[Number.NaN, 1]], [[]]])('%j is no field', (win) => {
    const bad = expect.objectContaining({ code: 'bad-field' }) as Error
    expect(() => combinationProbabilities(win, { shape: 4 }, 3)).toThrow(bad)
    expect(() => combinationChances(win, { shape: 4 }, 3)).toThrow(bad)
  })

  test.each([0, 2.5, 33, Number.NaN])('%d is no shape', (shape) => {
    expect(() => combinationProbabilities(VECTOR, { shape }, 3)).toThrow(RangeError)
  })
})
