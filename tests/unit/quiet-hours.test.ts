import { expect, test } from 'vitest'
import { quietEnd } from '../../server/alerts/quiet-hours.ts'

const NIGHT = { from: 22 * 60, to: 7 * 60 }

test.each([
  // Hong Kong is eight hours ahead of UTC.
  ['2026-11-28T13:59:59Z', null],
  ['2026-11-28T14:00:00Z', '2026-11-28T23:00:00.000Z'],
  ['2026-11-28T16:30:20Z', '2026-11-28T23:00:00.000Z'],
  ['2026-11-28T22:59:59Z', '2026-11-28T23:00:00.000Z'],
  ['2026-11-28T23:00:00Z', null],
])('a night over midnight in Hong Kong: %s is quiet until %s', (at, until) => {
  expect(quietEnd(new Date(at), 'Asia/Hong_Kong', NIGHT)?.toISOString() ?? null).toBe(until)
})

test.each([
  ['2026-06-30T15:59:00Z', null],
  ['2026-06-30T16:00:00Z', '2026-06-30T18:00:00.000Z'],
  ['2026-06-30T18:00:00Z', null],
])('noon to two in New York: %s is quiet until %s', (at, until) => {
  const noon = { from: 12 * 60, to: 14 * 60 }
  expect(quietEnd(new Date(at), 'America/New_York', noon)?.toISOString() ?? null).toBe(until)
})

test('equal hours are none', () => {
  expect(quietEnd(new Date(), 'Asia/Hong_Kong', { from: 480, to: 480 })).toBeNull()
})
