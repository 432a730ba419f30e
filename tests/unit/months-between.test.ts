import { describe, expect, test } from 'vitest'
import { monthsBetween } from '../../src/widgets/chart/months-between.ts'

describe('months on a time axis', () => {
  test('are the firsts of every month where they are few', () => {
    expect(monthsBetween('2025-11-20', '2026-02-03', 6)).toEqual(['2025-12-01', '2026-01-01', '2026-02-01'])
  })
  test('are evenly spread, and no more than asked for', () => {
    const months = monthsBetween('2019-01-01', '2026-07-31', 6)
    expect(months.length).toBeLessThanOrEqual(6)
    expect(months).toEqual([
      '2019-02-01',
      '2020-05-01',
      '2021-08-01',
      '2022-11-01',
      '2024-02-01',
      '2025-05-01',
    ])
  })
  test('are the first day itself within a month, and none of no days', () => {
    expect(monthsBetween('2026-07-01', '2026-07-12', 3)).toEqual(['2026-07-01'])
    expect(monthsBetween(undefined, undefined, 3)).toEqual([])
  })
})
