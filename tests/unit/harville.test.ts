import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { combinationCount, GAMEPLAYS, RACE_TABS, type GameplayClass } from '../../domain/gameplay.ts'
import { combinationProbabilities } from '../../domain/class-tables.ts'

const VECTOR = [0.4, 0.25, 0.15, 0.12, 0.08]
const PLAIN_HARVILLE = { second: 1, third: 1, fourth: 1 }
const DISCOUNTED = { second: 0.81, third: 0.65, fourth: 0.58 }

/** The table of domain notes section 2. */
const CASES = [
  {
    name: 'Harville',
    exponents: PLAIN_HARVILLE,
    first3: [0.87953, 0.75357, 0.56201, 0.47202, 0.33287],
    classes: { 3: 0.3, 5: 0.166667, 4: 0.645896, 7: 0.071429, 6: 0.286088, 9: 0.042857, 8: 0.440979 },
  },
  {
    name: 'discounted',
    exponents: DISCOUNTED,
    first3: [0.83652, 0.71843, 0.5646, 0.49623, 0.38422],
    classes: { 3: 0.272258, 5: 0.153237, 4: 0.575426, 7: 0.060578, 6: 0.240642, 9: 0.033834, 8: 0.371884 },
  },
] as const

const HORSES: Record<number, number[]> = {
  3: [0, 1],
  5: [0, 1],
  4: [0, 1],
  7: [0, 1, 2],
  6: [0, 1, 2],
  9: [0, 1, 2, 3],
  8: [0, 1, 2, 3],
}

describe.each(CASES)('$name on the published vector', ({ exponents, first3, classes }) => {
  test('P(first 3)', () => {
    const place = combinationProbabilities(VECTOR, exponents, 3)[2]
    for (const [index, chance] of first3.entries())
      expect(place.probabilityOf([index])).toBeCloseTo(chance, 5)
  })
  test.each(Object.entries(classes))('class %s', (classId, expected) => {
    const table = combinationProbabilities(VECTOR, exponents, 3)[Number(classId) as GameplayClass]
    expect(table.probabilityOf(HORSES[Number(classId)]!)).toBeCloseTo(expected, 6)
  })
})

const field = fc
  .array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 4, maxLength: 8 })
  .map((weights) => weights.map((weight) => weight / weights.reduce((sum, each) => sum + each, 0)))
const exponent = fc.double({ min: 0.3, max: 1.2, noNaN: true })
const exponents = fc.record({ second: exponent, third: exponent, fourth: exponent })
const sum = (values: readonly { probability: number }[]): number =>
  values.reduce((total, { probability }) => total + probability, 0)

test('invariants: first 2 and 3, quinella place and every exact class sum to what they must', () => {
  fc.assert(
    fc.property(field, exponents, (win, powers) => {
      const tables = combinationProbabilities(win, powers, 3)
      expect(sum(tables[2].all())).toBeCloseTo(3, 9)
      expect(sum(combinationProbabilities(win, powers, 2)[2].all())).toBeCloseTo(2, 9)
      expect(sum(tables[4].all())).toBeCloseTo(3, 9)
      for (const classId of [1, 3, 5, 6, 7, 8, 9] as const)
        expect(sum(tables[classId].all())).toBeCloseTo(1, 9)
    }),
  )
})

test('every class has as many combinations as combinatorics says', () => {
  const tables = combinationProbabilities(VECTOR, DISCOUNTED, 3)
  for (const { class: classId } of GAMEPLAYS)
    expect(tables[classId].length).toBe(combinationCount(classId, VECTOR.length))
})

test('with exponents of one the order of finish is what plain conditional probabilities give', () => {
  const table = combinationProbabilities(VECTOR, PLAIN_HARVILLE, 3)[9]
  for (const { horses, probability } of table.all()) {
    let expected = 1
    let rest = 1
    for (const horse of horses) {
      expected *= VECTOR[horse]! / rest
      rest -= VECTOR[horse]!
    }
    expect(probability).toBeCloseTo(expected, 12)
  }
})

test('the best rows are the best, ties by index', () => {
  fc.assert(
    fc.property(field, (win) => {
      const table = combinationProbabilities(win, DISCOUNTED, 3)[7]
      const best = table.topRows(10).map((row) => table.at(row).probability)
      const all = table
        .all()
        .map(({ probability }) => probability)
        .toSorted((a, b) => b - a)
      expect(best).toEqual(all.slice(0, 10))
    }),
  )
})

test('a field too small for a class leaves it empty; no places, no place class', () => {
  const tables = combinationProbabilities([0.6, 0.3, 0.1], DISCOUNTED, 0)
  expect(tables[2].length).toBe(0)
  expect(tables[9].length).toBe(0)
  expect(tables[7].length).toBe(6)
})

test.each([[[0.5, 0.6]], [[1, 0]], [[Number.NaN, 1]], [[]]])('%j is no field', (win) => {
  expect(() => combinationProbabilities(win, PLAIN_HARVILLE, 3)).toThrow(
    expect.objectContaining({ code: 'bad-field' }),
  )
})

test('tabs show tierce before trio, and no class twice', () => {
  expect(RACE_TABS).toEqual([null, 1, 2, 3, 4, 5, 7, 6, 8, 9])
})
