import { expect, test } from 'vitest'
import { clockOfCourse, OTHER_CLOCKS } from '../../domain/course-clock.ts'
import { dayIn, racingDay, REGIONS } from '../../domain/region.ts'
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

test('a race is on its day by the clocks of its racecourse, or of its region by which files may tell it', () => {
  const isOnDay = (stadiumId: string, date: string, startsAt: string): boolean =>
    startsOnItsDay({ stadiumId, date, startsAt })
  // Seven in the morning in Sydney is the night after the day before in Perth, where it is four.
  expect(isOnDay('AURND', '2026-01-03', '2026-01-03T20:00:00Z')).toBe(false)
  expect(isOnDay('AUASC', '2026-01-03', '2026-01-03T20:00:00Z')).toBe(true)
  // Half past nine in the evening in Los Angeles is the next day in New York.
  expect(isOnDay('USLAX', '2026-07-17', '2026-07-18T04:30:00Z')).toBe(true)
  expect(isOnDay('USLAX', '2026-07-18', '2026-07-18T04:30:00Z')).toBe(true)
  expect(isOnDay('USLAX', '2026-07-19', '2026-07-18T04:30:00Z')).toBe(false)
})

test('a region’s day of racing lasts until it has ended at its last racecourse, in every hour of a year', () => {
  for (const region of REGIONS) {
    const elsewhere = [...OTHER_CLOCKS].filter(([id]) => id.startsWith(region.code)).map(([, zone]) => zone)
    const zones = [...new Set([region.timeZone, ...elsewhere])]
    // Clocks are put forward and back on days of spring and autumn; one clock alone needs a day.
    for (let hour = 0; hour < (zones.length > 1 ? 365 : 1) * 24; hour++) {
      const now = new Date(Date.UTC(2026, 0, 1, hour))
      const days = zones.map((zone) => dayIn(zone, now)).toSorted()
      expect(racingDay(region, now), `${region.code} ${now.toISOString()}`).toBe(days[0])
    }
  }
})
