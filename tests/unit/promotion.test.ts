import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instalmentsOf, promotionFeeCents } from '../../domain/promotion.ts'
import { addDays } from '../../domain/region.ts'

const LENGTHS = [1, 3, 6, 12]

describe('the fee', () => {
  test.each([
    [9800, 2940],
    [1, 0],
    [2, 1],
    [5, 2],
    [15, 5],
    [89_800, 26_940],
    [10_005, 3002],
  ])('of %i cents is %i', (paid, fee) => {
    expect(promotionFeeCents(paid)).toBe(fee)
  })
  test('is 30%, half a cent up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (paid) => {
        const fee = promotionFeeCents(paid)
        return Number.isInteger(fee) && Math.abs(fee * 10 - paid * 3) <= 5 && fee * 10 - paid * 3 > -5
      }),
    )
  })
})

describe('instalments', () => {
  test('add up to the fee, are equal but for the last, which has the odd cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e8 }), fc.constantFrom(...LENGTHS), (fee, months) => {
        const parts = instalmentsOf(fee, months, '2026-11-21')
        const cents = parts.map((part) => part.cents)
        const equal = new Set(cents.slice(0, -1)).size <= 1
        const last = cents.at(-1)! - (cents[0] ?? 0)
        return cents.reduce((sum, each) => sum + each, 0) === fee && equal && last >= 0 && last < months
      }),
    )
  })

  /** Last day of a month, from the language's own calendar. */
  const lastDay = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

  test.each(LENGTHS)(
    'of %i months settle the day after each month, from every day of two years',
    (months) => {
      for (let offset = 0; offset < 731; offset += 1) {
        const opened = addDays('2027-01-01', offset)
        const [year = 0, month = 0, day = 0] = opened.split('-').map(Number)
        let before = opened
        for (const { number, settlesOn } of instalmentsOf(1000, months, opened)) {
          const index = month - 1 + number
          const inYear = year + Math.floor(index / 12)
          const inMonth = (index % 12) + 1
          const clamped = Math.min(day, lastDay(inYear, inMonth))
          const due = `${inYear}-${String(inMonth).padStart(2, '0')}-${String(clamped).padStart(2, '0')}`
          expect(settlesOn, `${opened} + ${number}`).toBe(addDays(due, 1))
          expect(settlesOn > before).toBe(true)
          before = settlesOn
        }
      }
    },
  )
})
