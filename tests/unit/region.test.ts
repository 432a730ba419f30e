import { expect, test } from 'vitest'
import { GAMEPLAYS } from '../../domain/gameplay.ts'
import { isHandicap, placesFor, poolsOf } from '../../domain/pool-rules.ts'
import {
  addDays,
  AUSTRALIA,
  dayIn,
  FRANCE,
  GREAT_BRITAIN,
  HONG_KONG,
  IRELAND,
  JAPAN,
  REGIONS,
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
  for (const region of [GREAT_BRITAIN, IRELAND, JAPAN])
    expect([4, 5, 7, 8, 20].map((starters) => placesFor(region, starters))).toEqual([0, 2, 2, 3, 3])
  expect([3, 4, 7, 8].map((starters) => placesFor(FRANCE, starters))).toEqual([0, 2, 2, 3])
})

test('a handicap of 16 and more pays four places in Great Britain and Ireland only', () => {
  const name = 'Made-up Brewery Handicap Hurdle'
  for (const region of [GREAT_BRITAIN, IRELAND])
    expect([7, 15, 16, 24].map((starters) => placesFor(region, starters, name))).toEqual([2, 3, 4, 4])
  expect(placesFor(GREAT_BRITAIN, 20, 'Made-up Maiden Stakes')).toBe(3)
  for (const region of [FRANCE, JAPAN, AUSTRALIA, HONG_KONG]) expect(placesFor(region, 20, name)).toBe(3)
  expect(
    ['Nursery Handicap', 'Some H’cap', "Some H'Cap Chase", 'Handicapper’s Stakes', null].map(isHandicap),
  ).toEqual([true, true, true, false, false])
})

test('a region has its own bet types, and win and place everywhere', () => {
  const missing = (region: { id: string }): string[] =>
    GAMEPLAYS.filter((bet) => !poolsOf(region).includes(bet.class)).map(({ key }) => key)
  expect(missing(HONG_KONG)).toEqual([])
  expect(missing(GREAT_BRITAIN)).toEqual(['quinella', 'trio', 'first4', 'quartet'])
  expect(missing(IRELAND)).toEqual(missing(GREAT_BRITAIN))
  expect(missing(JAPAN)).toEqual(['first4', 'quartet'])
  expect(missing(FRANCE)).toEqual(['first4', 'quartet'])
  expect(missing(AUSTRALIA)).toEqual(['trio', 'first4'])
  expect(missing(UNITED_STATES)).toEqual(['quinella_place', 'trio', 'first4'])
  expect(REGIONS.every((region) => poolsOf(region).includes(1) && poolsOf(region).includes(2))).toBe(true)
})

test('a stadium code begins with the code of one region, and each region has a zone and a currency of its own', () => {
  expect(REGIONS.map(({ code }) => regionOfStadium(`${code}ABC`)?.code)).toEqual(
    REGIONS.map(({ code }) => code),
  )
  expect(new Set(REGIONS.map(({ id }) => id)).size).toBe(REGIONS.length)
  for (const { timeZone } of REGIONS)
    expect(dayIn(timeZone, new Date('2026-06-01T12:00:00Z'))).toMatch(/^2026-06-0[12]$/)
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
