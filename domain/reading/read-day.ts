import { dayIn } from '../region.ts'
import { cleanText, missingOf } from './clean-text.ts'
import { calendarDay, readInstant } from './read-instant.ts'
import { MISSING, unreadable, valueOf, type Reading } from './reading.ts'

/** The order of day, month and year where a text does not begin with a year of four digits. */
export const DAY_ORDERS = ['dmy', 'mdy', 'ymd'] as const
export type DayOrder = (typeof DAY_ORDERS)[number]

export interface DayForm {
  /** `null`: texts that have two readings cannot be read. */
  order: DayOrder | null
  /** The day of an instant with `Z` or an offset is that of this zone. */
  timeZone: string
  /** Numbers are days as spreadsheets count them: 45543 is 2024-09-08. */
  serial?: boolean
}

const WEEKDAY =
  /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? |[ ,]*\(?(?:星期|週|周|禮拜|礼拜)[一二三四五六日天]\)?$|[ ,]*\([一二三四五六日]\)$|[ ,]+(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?$/i
const TIME =
  /(?:[t ,]+|(?<=[日號号]))(?:[上下]午 ?)?([01]?\d|2[0-3])[:.時时h]([0-5]\d)(?:[:.分]([0-5]\d)(?:[.,]\d+)?)?分? ?(?:[ap]\.?m\.?)?$/i
/** A day in any form with a time and an offset, as `Sun, 08 Sep 2024 00:00:00 +0800`. */
const ZONED =
  /^(.+?)[t ,]+([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,]\d+)?)? ?(?:(?:gmt|utc)?([+-]\d{2}(?::?\d{2})?)|z|gmt|utc)(?: ?\(.*\))?$/i
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const SEPARATED = String.raw`[ ./,-]*`
const NUMBERED_DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`
const DAY_FIRST_WORDS = new RegExp(
  String.raw`^${NUMBERED_DAY}${SEPARATED}(?:of )?${MONTH}\.?${SEPARATED}['’]?(\d{4}|\d{2})$`,
  'i',
)
/** Something stands between day and year: `October 2024` has no day. */
const MONTH_FIRST_WORDS = new RegExp(
  String.raw`^${MONTH}\.?${SEPARATED}${NUMBERED_DAY}(?:[ ./,-]+['’]?|['’]|(?<=[a-z]))(\d{4}|\d{2})$`,
  'i',
)
const YEAR_FIRST_WORDS = new RegExp(
  String.raw`^(\d{4})${SEPARATED}${MONTH}\.?${SEPARATED}${NUMBERED_DAY}$`,
  'i',
)
const YEAR_FIRST = /^(\d{4}) ?([-/. ]) ?(\d{1,2}) ?\2 ?(\d{1,2})\.?$/
const CHINESE = /^(\d{4}|\d{2}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?[日號号]$/
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})$/
const YEAR_LAST = /^(\d{1,2}) ?([-/. ]) ?(\d{1,2}) ?\2 ?(\d{4})\.?$/
const SHORT_YEAR = /^(\d{1,2}) ?([-/. ]) ?(\d{1,2}) ?\2 ?['’]?(\d{2})\.?$/
/** Days of this century. */
const SERIAL = /^(3(?:6[5-9]|[7-9]\d)\d{2}|[4-6]\d{4}|7[0-3]\d{3})(?:\.\d+)?$/
const SERIAL_ORIGIN = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000

/** A year of two digits as POSIX reads it: 69 to 99 are of the last century. */
const fullYear = (year: string): number =>
  year.length === 4 ? Number(year) : Number(year) + (Number(year) < 69 ? 2000 : 1900)

const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1

type Parts = [year: number, month: number, day: number]

function unambiguousParts(text: string, serial: boolean): Parts | null {
  const first = YEAR_FIRST.exec(text)
  if (first) return [Number(first[1]), Number(first[3]), Number(first[4])]
  const plain = CHINESE.exec(text) ?? COMPACT.exec(text)
  if (plain) return [fullYear(plain[1]!), Number(plain[2]), Number(plain[3])]
  const day = DAY_FIRST_WORDS.exec(text)
  if (day) return [fullYear(day[3]!), monthOf(day[2]!), Number(day[1])]
  const month = MONTH_FIRST_WORDS.exec(text)
  if (month) return [fullYear(month[3]!), monthOf(month[1]!), Number(month[2])]
  const year = YEAR_FIRST_WORDS.exec(text)
  if (year) return [Number(year[1]), monthOf(year[2]!), Number(year[3])]
  const counted = serial ? SERIAL.exec(text) : null
  if (!counted) return null
  const at = new Date(SERIAL_ORIGIN + Number(counted[1]) * DAY_MS)
  return [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
}

/** The parts of a text in each order in which it is a form of a day. */
function orderedParts(text: string): Partial<Record<DayOrder, Parts>> | null {
  const last = YEAR_LAST.exec(text)
  if (last) {
    const [one, two, year] = [Number(last[1]), Number(last[3]), Number(last[4])]
    // Nobody writes a month before a day with full stops.
    return last[2] === '.' ? { dmy: [year, two, one] } : { dmy: [year, two, one], mdy: [year, one, two] }
  }
  const short = SHORT_YEAR.exec(text)
  if (!short) return null
  const [, one = '', , two = '', three = ''] = short
  return {
    dmy: [fullYear(three), Number(two), Number(one)],
    ...(short[2] === '.' ? {} : { mdy: [fullYear(three), Number(one), Number(two)] as Parts }),
    ...(one.length === 2 ? { ymd: [fullYear(one), Number(two), Number(three)] as Parts } : {}),
  }
}

const bare = (text: string): string => text.replace(WEEKDAY, '').replace(/,$/, '')

/**
 * A day as `yyyy-mm-dd`, in the forms that people and programs write: with or without a time, a short year, a month's
 * name in any case, a weekday, an offset.
 */
export function readDay(text: string, form: DayForm): Reading<string> {
  const clean = cleanText(text)
  if (missingOf(clean)) return MISSING
  const zoned = ZONED.exec(clean.replaceAll('\u2212', '-'))
  if (!zoned) return writtenDay(bare(clean.replace(TIME, '')), form)
  const [, date = '', hour, minute, second = '00', offset = 'Z'] = zoned
  const written = writtenDay(bare(date), form)
  if (written.kind !== 'value') return written
  const instant = readInstant(`${written.value}T${hour}:${minute}:${second}${offset}`)
  return instant.kind === 'value' ? valueOf(dayIn(form.timeZone, new Date(instant.value))) : instant
}

function writtenDay(date: string, { order, serial = false }: DayForm): Reading<string> {
  const parts = unambiguousParts(date, serial)
  if (parts) return dayOf(parts)
  const ordered = orderedParts(date)
  if (ordered === null) return unreadable('not-a-day')
  if (order !== null) return dayOf(ordered[order])
  const days = new Set(Object.values(ordered).flatMap((each) => calendarDay(...each) ?? []))
  if (days.size > 1) return unreadable('two-readings')
  const [day] = days
  return day === undefined ? unreadable('no-such-day') : valueOf(day)
}

function dayOf(parts: Parts | undefined): Reading<string> {
  const day = parts === undefined ? null : calendarDay(...parts)
  return day === null ? unreadable('no-such-day') : valueOf(day)
}

/**
 * The orders in which the most texts can be read as days, in the order of `DAY_ORDERS`: one where a number above 12
 * decides. Empty if the order makes no difference.
 */
export function dayOrdersOf(texts: readonly string[]): DayOrder[] {
  const counts = { dmy: 0, mdy: 0, ymd: 0 }
  for (const text of texts) {
    const clean = cleanText(text)
    const date = bare(ZONED.exec(clean)?.[1] ?? clean.replace(TIME, ''))
    const ordered = unambiguousParts(date, false) === null ? orderedParts(date) : null
    for (const order of DAY_ORDERS) if (dayOf(ordered?.[order]).kind === 'value') counts[order] += 1
  }
  const most = Math.max(...Object.values(counts))
  return most === 0 ? [] : DAY_ORDERS.filter((order) => counts[order] === most)
}
