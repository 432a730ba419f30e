import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combinationChances } from '../../domain/combination-chance.ts'
import { GAMEPLAYS } from '../../domain/gameplay.ts'
import { combinationProbabilities } from '../../domain/class-tables.ts'

const EXPONENTS = { second: 0.88, third: 0.73, fourth: 0.67 }
const RULES = [EXPONENTS, { shape: 1 }, { shape: 4 }, { shape: 12 }]

test('single combinations have the probabilities of the whole tables', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 9 }),
      fc.constantFrom(0, 1, 2, 3, 4),
      fc.constantFrom(...RULES),
      (shares, places, rule) => {
        const sum = shares.reduce((total, share) => total + share, 0)
        const win = shares.map((share) => share / sum)
        const tables = combinationProbabilities(win, rule, places)
        const chances = combinationChances(win, rule, places)
        for (const { class: classId } of GAMEPLAYS) {
          for (const { horses, probability } of tables[classId].all())
            expect(chances.of(classId, horses)).toBeCloseTo(probability, 10)
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('a race without a place pool has no place probability, and a bad field is refused', () => {
  expect(combinationChances([0.5, 0.3, 0.2], EXPONENTS, 0).of(2, [0])).toBe(0)
  const bad = expect.objectContaining({ code: 'bad-field' }) as Error
  expect(() => combinationChances([0.5, 0.4], EXPONENTS, 2)).toThrow(bad)
  expect(() => combinationChances([1, 0], EXPONENTS, 2)).toThrow(bad)
})
