import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMonths, addMonthsToInstant, businessDay, extendVip, isVipAt } from '../../domain/membership.ts'

describe('months', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-08-31', 1, '2026-09-30'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2026-03-31', 11, '2027-02-28'],
    ['2026-05-10', 0, '2026-05-10'],
  ])('%s and %i months is %s', (date, months, expected) => {
    expect(addMonths(date, months)).toBe(expected)
  })
  test('are Hong Kong’s, and keep the time of day', () => {
    // 31 January in Hong Kong, still the 30th in UTC.
    expect(addMonthsToInstant(new Date('2026-01-30T16:30:00.500Z'), 1).toISOString()).toBe(
      '2026-02-27T16:30:00.500Z',
    )
    expect(businessDay(new Date('2026-11-21T15:59:59Z'))).toBe('2026-11-21')
    expect(businessDay(new Date('2026-11-21T16:00:00Z'))).toBe('2026-11-22')
  })
  test('never shorten: whatever the start, the end is 28 to 31 days a month later', () => {
    const start = fc.date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(start, fc.integer({ min: 1, max: 36 }), (from, months) => {
        const days = (addMonthsToInstant(from, months).getTime() - from.getTime()) / 86_400_000
        return days >= 28 * months && days <= 31 * months
      }),
    )
  })
})

test('VIP goes on from the later of now and its end, and ends at its end', () => {
  const now = new Date('2026-11-21T04:00:00Z')
  const end = new Date('2026-12-01T00:00:00Z')
  expect(extendVip(now, null, 1).start).toEqual(now)
  expect(extendVip(now, new Date('2020-01-01'), 1).start).toEqual(now)
  expect(extendVip(now, end, 1)).toEqual({ start: end, end: new Date('2027-01-01T00:00:00Z') })
  expect([isVipAt(now, end), isVipAt(end, end), isVipAt(now, null)]).toEqual([true, false, false])
})
