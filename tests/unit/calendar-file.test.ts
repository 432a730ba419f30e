import { expect, test } from 'vitest'
import { calendarFile } from '../../domain/calendar-file.ts'

const event = {
  id: 'HKSHT2026010401',
  title: 'Sha Tin: first race',
  start: '2026-01-04T05:00:00.000Z',
  date: '2026-01-04',
  url: 'https://example.org/#/pages/race/HorseRace?id=HKSHT2026010401',
}
const NOW = '2026-01-01T00:00:00.000Z'
/** The lines of a file, those that were folded joined again. */
const lines = (file: string): string[] => file.replaceAll('\r\n ', '').trimEnd().split('\r\n')

test('an event with a time is at that instant, with a reminder before it', () => {
  const file = lines(calendarFile(event, NOW))
  expect(file[0]).toBe('BEGIN:VCALENDAR')
  expect(file.at(-1)).toBe('END:VCALENDAR')
  expect(file).toContain('DTSTART:20260104T050000Z')
  expect(file).toContain('DTSTAMP:20260101T000000Z')
  expect(file).toContain('TRIGGER:-PT1H')
  expect(file).toContain(`URL:${event.url}`)
})

test('an event without one takes its day, and reminds of nothing in the night', () => {
  const file = lines(calendarFile({ ...event, start: null }, NOW))
  expect(file).toContain('DTSTART;VALUE=DATE:20260104')
  expect(file.join()).not.toContain('VALARM')
})

test('a title of any text is one value, and no line is too long', () => {
  const title = `沙田；a, b; c\\d\n${'跑馬地'.repeat(20)}`
  const file = calendarFile({ ...event, title }, NOW)
  for (const line of file.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  const summary = lines(file).find((line) => line.startsWith('SUMMARY:'))!
  expect(summary).toBe(`SUMMARY:沙田；a\\, b\\; c\\\\d\\n${'跑馬地'.repeat(20)}`)
})
