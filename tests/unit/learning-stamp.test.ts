import { expect, test } from 'vitest'
import { firstChange } from '../../server/store/racing/scoring-state-store.ts'

test('the first day that changed between two learning stamps', () => {
  expect(firstChange('3 2026-01-04', '4 2026-01-04 2026-01-07')).toBe('2026-01-07')
  expect(firstChange('3 2026-01-04', '5 2026-01-04 2026-01-07 2026-01-05')).toBe('2026-01-05')
  // The stamp of an older build has no days.
  expect(firstChange('3', '4 2026-01-07')).toBe('2026-01-07')
  expect(firstChange('', '1 2026-01-07')).toBe('2026-01-07')
})

test('it is not known if models changed, if days are no longer listed, and after a revision that is not later', () => {
  expect(firstChange('3', '5 * 2026-01-07')).toBeNull()
  expect(firstChange('3', '6 2026-01-06 2026-01-07')).toBeNull()
  expect(firstChange('3', '4')).toBeNull()
  expect(firstChange('4 2026-01-07', '4 2026-01-07')).toBeNull()
  expect(firstChange('4 2026-01-07', '')).toBeNull()
})
