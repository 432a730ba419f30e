import { expect, test } from 'vitest'
import { clockOfCourse, OTHER_CLOCKS } from '../../domain/course-clock.ts'
import { REGIONS } from '../../domain/region.ts'
import { startsOnItsDay } from '../../server/drafts/race-field.ts'
import { TRACKS as AUSTRALIAN_TRACKS } from '../../server/ingest/au/betfair-tracks.ts'
import { US_STADIUMS } from '../../server/ingest/us/tracks.ts'

test('a race has the clocks of its racecourse, which are not always those of its region', () => {
  expect(clockOfCourse('AUASC')).toBe('Australia/Perth')
  expect(clockOfCourse('AUMOI2026010401')).toBe('Australia/Brisbane')
  expect(clockOfCourse('AURND2026010401')).toBe('Australia/Sydney')
  expect(clockOfCourse('USSAX2016052801')).toBe('America/Los_Angeles')
  expect(clockOfCourse('USBEL2016052801')).toBe('America/New_York')
  for (const { code, timeZone } of REGIONS) expect(clockOfCourse(`${code}ZZZ`)).toBe(timeZone)
  expect(clockOfCourse('')).toBe('Asia/Hong_Kong')
})

test('every racecourse with clocks of its own is one that a layout knows, and each zone exists', () => {
  const known = new Set([...AUSTRALIAN_TRACKS, ...US_STADIUMS].map(({ id }) => id))
  expect([...OTHER_CLOCKS.keys()].filter((id) => !known.has(id))).toEqual([])
  for (const timeZone of OTHER_CLOCKS.values())
    expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
})

test('an evening race in Perth is on its day, although the next one has begun in Sydney', () => {
  // Half past ten in Perth is half past one in Sydney, in summer.
  expect(startsOnItsDay({ stadiumId: 'AUASC', date: '2026-01-03', startsAt: '2026-01-03T14:30:00Z' })).toBe(
    true,
  )
  expect(startsOnItsDay({ stadiumId: 'AUASC', date: '2026-01-05', startsAt: '2026-01-03T14:30:00Z' })).toBe(
    false,
  )
  // Seven in the morning in Sydney is no night of the day before, but four in Perth is.
  expect(startsOnItsDay({ stadiumId: 'AURND', date: '2026-01-03', startsAt: '2026-01-03T20:00:00Z' })).toBe(
    false,
  )
  expect(startsOnItsDay({ stadiumId: 'AUASC', date: '2026-01-03', startsAt: '2026-01-03T20:00:00Z' })).toBe(
    true,
  )
})
