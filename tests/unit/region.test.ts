import { expect, test } from 'vitest'
import {
  addDays,
  AUSTRALIA,
  dayIn,
  HONG_KONG,
  placesFor,
  regionOfStadium,
  regionRules,
  seasonLabel,
  daysOfSeason,
  seasonOf,
  UNITED_STATES,
} from '../../domain/region.ts'

test('places follow the number of declared starters', () => {
  expect([3, 4, 6, 7, 14].map((starters) => placesFor(HONG_KONG, starters))).toEqual([0, 2, 2, 3, 3])
  expect([4, 5, 7, 8].map((starters) => placesFor(AUSTRALIA, starters))).toEqual([0, 2, 2, 3])
  expect([3, 4, 12].map((starters) => placesFor(UNITED_STATES, starters))).toEqual([0, 2, 2])
})

test('a season begins in the region’s own month', () => {
  expect(seasonOf(HONG_KONG, '2019-08-31')).toBe(2018)
  expect(seasonOf(HONG_KONG, '2019-09-01')).toBe(2019)
  expect(seasonOf(UNITED_STATES, '2016-01-01')).toBe(2016)
  expect(daysOfSeason(HONG_KONG, '2019-09-01')).toBe(1)
  expect(daysOfSeason(HONG_KONG, '2020-08-31')).toBe(366)
  expect(daysOfSeason(UNITED_STATES, '2016-03-01')).toBe(61)
  expect(seasonLabel(9, 2019)).toBe('2019/20')
  expect(seasonLabel(9, 1999)).toBe('1999/00')
  expect(seasonLabel(1, 2016)).toBe('2016')
})

test('a day is the region’s own, not UTC’s', () => {
  const evening = new Date('2026-11-20T16:30:00Z')
  expect(dayIn('Asia/Hong_Kong', evening)).toBe('2026-11-21')
  expect(dayIn('America/New_York', evening)).toBe('2026-11-20')
})

test('days are counted over month and leap year', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
})

test('an unknown region follows Hong Kong, an unknown stadium belongs to none', () => {
  expect(regionRules('999999')).toBe(HONG_KONG)
  expect(regionOfStadium('HKSHT')).toBe(HONG_KONG)
  expect(regionOfStadium('XXABC')).toBeUndefined()
})
