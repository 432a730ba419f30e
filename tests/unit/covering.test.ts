import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FACTORS, FIRST_VISITS, FURTHER_VISITS, isPossible } from '../browser/route-plan.ts'
import { ROUTES } from '../support/page-routes.ts'
import { coveringRows, pairsOf, possiblePairs } from '../support/covering.ts'

const values = fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 5 })

test('every possible pair of values is in a row, and every row is possible', () => {
  fc.assert(
    fc.property(fc.record({ a: values, b: values, c: values }), fc.nat(9), (factors, barred) => {
      const allowed = ({ a, b }: { a: number; b: number; c: number }): boolean => a !== barred || b !== barred
      const rows = coveringRows(factors, { isPossible: allowed })
      expect(rows.every(allowed)).toBe(true)
      expect(new Set(rows.flatMap(pairsOf))).toEqual(possiblePairs(factors, allowed))
    }),
    { numRuns: 200 },
  )
})

test('rows are far fewer than all combinations, and begin with the given ones', () => {
  const factors = { a: [1, 2, 3], b: [1, 2, 3], c: [1, 2, 3], d: [1, 2, 3] }
  const given = [{ a: 1, b: 1, c: 2, d: 3 }]
  const rows = coveringRows(factors, { given })
  expect(rows.slice(0, 1)).toEqual(given)
  expect(rows.length).toBeLessThan(18)
  expect(new Set(rows.flatMap(pairsOf)).size).toBe(6 * 9)
})

test('the visits of every route: once in npm test, and with the rest every pair of route, language, size, role and colours', () => {
  expect(FIRST_VISITS.map(({ route }) => route)).toEqual(FACTORS.route)
  expect(ROUTES.length).toBeGreaterThan(50)
  // A colour without enough contrast in one of the two must show in `npm test`, on both sizes.
  const seen = FIRST_VISITS.map(({ size, colours }) => `${size} ${colours}`)
  expect(new Set(seen)).toEqual(new Set(['phone light', 'phone dark', 'desktop light', 'desktop dark']))
  const visits = [...FIRST_VISITS, ...FURTHER_VISITS]
  expect(visits.every(isPossible)).toBe(true)
  expect(new Set(visits.map((visit) => pairsOf(visit).join())).size).toBe(visits.length)
  expect(new Set(visits.flatMap(pairsOf))).toEqual(possiblePairs(FACTORS, isPossible))
})
