import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownDifference } from '../../domain/shown-difference.ts'

const tenths = (share: number): number =>
  Math.round(
    Number(
      new Intl.NumberFormat('en', {
        style: 'percent',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
        useGrouping: false,
      })
        .format(share)
        .replace('%', ''),
    ) * 10,
  )

test('a difference is that of the percentages beside it', () => {
  // 31.1% and 27.2%: their difference of −3.952 points would be shown as −4.0%.
  expect(shownDifference(0.311_2, 0.271_68)).toBe(-0.039)
  expect(shownDifference(0.1, 0.1)).toBe(0)
  expect(shownDifference(-0.102_4, 12.345_6)).toBe(12.448)
})

test('every row adds up, and the difference is off by less than a tenth of a point', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -5, max: 50, noNaN: true }),
      fc.double({ min: -5, max: 50, noNaN: true }),
      (a, b) => {
        const difference = shownDifference(a, b)
        expect(tenths(difference) - (tenths(b) - tenths(a))).toBeCloseTo(0, 9)
        expect(Math.abs(difference - (b - a))).toBeLessThanOrEqual(0.001 + 1e-9)
      },
    ),
  )
})
