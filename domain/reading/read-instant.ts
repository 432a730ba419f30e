import { cleanText, missingOf } from './clean-text.ts'
import { MISSING, unreadable, valueOf, type Reading } from './reading.ts'

const ZONE = String.raw`(?:(z|utc|gmt)|([+-])(\d{2})(?::?(\d{2}))?)`
const EXTENDED = String.raw`(\d{4})-(\d{2})-(\d{2})[t ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?`
const BASIC = String.raw`(\d{4})(\d{2})(\d{2})t(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?`
const WITH_ZONE = [EXTENDED, BASIC].map((form) => new RegExp(`^${form} ?${ZONE}$`, 'i'))
const WITHOUT_ZONE = [EXTENDED, BASIC].map((form) => new RegExp(`^${form}$`, 'i'))
const FIRST_YEAR = 1900
const LAST_YEAR = 2100
/** The offset farthest from UTC is +14:00. */
const MAX_OFFSET_MINUTES = 14 * 60

/** A day as `yyyy-mm-dd`; `null` if the calendar has no such day, or its year is not from 1900 to 2100. */
export function calendarDay(year: number, month: number, day: number): string | null {
  if (year < FIRST_YEAR || year > LAST_YEAR) return null
  const at = new Date(Date.UTC(year, month - 1, day))
  const exists = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return exists ? at.toISOString().slice(0, 10) : null
}

/**
 * An instant in any form of ISO 8601 with `Z` or an offset: minutes, seconds or fractions, the extended or the basic
 * form. Its value is `yyyy-mm-ddThh:mm:ss.sssZ`.
 */
export function readInstant(text: string): Reading<string> {
  const clean = cleanText(text).replaceAll('\u2212', '-')
  if (missingOf(clean)) return MISSING
  const match = WITH_ZONE.map((form) => form.exec(clean)).find((found) => found !== null)
  if (!match) return unreadable(WITHOUT_ZONE.some((form) => form.test(clean)) ? 'no-zone' : 'not-an-instant')
  const [, year, month, day, hour, minute, second = '0', fraction = '', , sign, hours, minutes = '0'] = match
  const date = calendarDay(Number(year), Number(month), Number(day))
  const offset = Number(hours ?? 0) * 60 + Number(minutes)
  const exists =
    date !== null &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second) <= 59 &&
    Number(minutes) <= 59 &&
    offset <= MAX_OFFSET_MINUTES
  if (!exists) return unreadable('no-such-day', '2026-11-22T05:10:00Z')
  const atUtc =
    Date.parse(`${date}T${hour}:${minute}:${second.padStart(2, '0')}Z`) +
    Number(fraction.padEnd(3, '0').slice(0, 3))
  return valueOf(new Date(atUtc - (sign === '-' ? -1 : 1) * offset * 60_000).toISOString())
}
