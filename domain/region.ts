import { remembered } from './remembered.ts'

/** The rules of a racing region that the code needs; names are data (table `region`). */
export interface RegionRules {
  id: string
  code: string
  timeZone: string
  /** Of the language that choosing the region suggests. */
  locale: string
  /** First month (1 to 12) of a racing season. */
  seasonStartMonth: number
  /** Of its prizes and dividends, ISO 4217. */
  currency: string
}

export const HONG_KONG: RegionRules = {
  id: '100000',
  code: 'HK',
  timeZone: 'Asia/Hong_Kong',
  locale: 'zh-Hant',
  seasonStartMonth: 9,
  currency: 'HKD',
}

export const UNITED_STATES: RegionRules = {
  id: '100840',
  code: 'US',
  timeZone: 'America/New_York',
  locale: 'en',
  seasonStartMonth: 1,
  currency: 'USD',
}

export const AUSTRALIA: RegionRules = {
  id: '100036',
  code: 'AU',
  timeZone: 'Australia/Sydney',
  locale: 'en',
  seasonStartMonth: 8,
  currency: 'AUD',
}

/** Its season is the calendar year, by which the British Horseracing Authority counts winners and prizes on the flat. */
export const GREAT_BRITAIN: RegionRules = {
  id: '100826',
  code: 'GB',
  timeZone: 'Europe/London',
  locale: 'en',
  seasonStartMonth: 1,
  currency: 'GBP',
}

/** Horse Racing Ireland has the whole island; races of Down Royal and Downpatrick are paid in euros too. */
export const IRELAND: RegionRules = {
  id: '100372',
  code: 'IE',
  timeZone: 'Europe/Dublin',
  locale: 'en',
  seasonStartMonth: 1,
  currency: 'EUR',
}

/** Amounts are hundredths of a yen, as those of other currencies are cents, although there is no such coin. */
export const JAPAN: RegionRules = {
  id: '100392',
  code: 'JP',
  timeZone: 'Asia/Tokyo',
  locale: 'ja',
  seasonStartMonth: 1,
  currency: 'JPY',
}

export const FRANCE: RegionRules = {
  id: '100250',
  code: 'FR',
  timeZone: 'Europe/Paris',
  // Our language for readers of French, of which we have no texts.
  locale: 'en',
  seasonStartMonth: 1,
  currency: 'EUR',
}

export const REGIONS: readonly RegionRules[] = [
  HONG_KONG,
  UNITED_STATES,
  AUSTRALIA,
  GREAT_BRITAIN,
  IRELAND,
  JAPAN,
  FRANCE,
]

/** Rules of a region id; an unknown id gets Hong Kong's (the specification's fallback). */
export const regionRules = (regionId: string): RegionRules =>
  REGIONS.find((region) => region.id === regionId) ?? HONG_KONG

/**
 * The product's language for a region's locale (specification section 4); Traditional
 * Chinese for unknown ones.
 */
export const languageOfLocale = (locale: string): 'en' | 'zh-Hant' =>
  ['en', 'en-SG', 'ms-MY'].includes(locale) ? 'en' : 'zh-Hant'

/** The region that a stadium code begins with (`HKSHT`), or `undefined`. */
export const regionOfStadium = (stadiumId: string): RegionRules | undefined =>
  REGIONS.find((region) => stadiumId.startsWith(region.code))

/**
 * The season of a race day: the year in which it began. `2019` is 2019/20 where seasons cross the new year.
 */
export function seasonOf(region: Pick<RegionRules, 'seasonStartMonth'>, date: string): number {
  const [year = 0, month = 1] = date.split('-').map(Number)
  return month >= region.seasonStartMonth ? year : year - 1
}

/** Days of the season of `today` (`yyyy-mm-dd`) so far, including today: 1 to 366. */
export function daysOfSeason(region: Pick<RegionRules, 'seasonStartMonth'>, today: string): number {
  const month = String(region.seasonStartMonth).padStart(2, '0')
  const first = Date.parse(`${seasonOf(region, today)}-${month}-01`)
  return Math.round((Date.parse(today) - first) / 86_400_000) + 1
}

/** A season as commonly written: `2019/20`, or `2016` where it is the calendar year. */
export function seasonLabel(seasonStartMonth: number, season: number): string {
  if (seasonStartMonth === 1) return String(season)
  return `${season}/${String((season + 1) % 100).padStart(2, '0')}`
}

/** Cached, because creating a formatter takes milliseconds. */
const dayFormat = remembered(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
)

/** The calendar day of an instant in a time zone, `yyyy-mm-dd`. */
export const dayIn = (timeZone: string, instant: Date): string => dayFormat(timeZone).format(instant)

/** Where the clocks of a region's racecourses differ (`course-clock.ts`), those whose day ends last; by the region's id. */
const LAST_CLOCKS: Readonly<Record<string, string>> = {
  [UNITED_STATES.id]: 'America/Los_Angeles',
  [AUSTRALIA.id]: 'Australia/Perth',
}

/**
 * The day of racing in a region, `yyyy-mm-dd`: it lasts until it has ended at every racecourse.
 *
 * ```ts
 * racingDay(AUSTRALIA, new Date('2026-01-04T15:00:00Z')) // => '2026-01-04', in Sydney it is the 5th
 * ```
 */
export const racingDay = ({ id, timeZone }: Pick<RegionRules, 'id' | 'timeZone'>, now: Date): string =>
  dayIn(LAST_CLOCKS[id] ?? timeZone, now)

/** `date` moved by whole days, both `yyyy-mm-dd`. */
export function addDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

/** The first day of a day's week, `yyyy-mm-dd`. */
export function mondayOf(date: string): string {
  const sinceMonday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(date, -sinceMonday)
}
