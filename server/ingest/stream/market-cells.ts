import { clockOfCourse } from '../../../domain/course-clock.ts'
import {
  AUSTRALIA,
  dayIn,
  GREAT_BRITAIN,
  IRELAND,
  regionOfStadium,
  type RegionRules,
} from '../../../domain/region.ts'
import { stadiumOf } from '../au/betfair-tracks.ts'
import { courseNamed } from '../gb/courses.ts'
import { instant, line, required } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { nullOnRowError, RowError } from '../reading/format.ts'

/** Cells of a table of Betfair's markets, in the columns of `MARKET_COLUMNS`. */

const HORSE_RACING = '7'
/** Where a course is looked for by the country of its market: Northern Ireland races with the Republic. */
const COUNTRIES: Readonly<Record<string, readonly RegionRules[]>> = {
  GB: [GREAT_BRITAIN, IRELAND],
  IE: [IRELAND, GREAT_BRITAIN],
  AU: [AUSTRALIA],
}
const WITH_SULKIES = /\b(?:pace|trot)\b/i

/** Whether races in a country, by the two letters of its market, are read. */
const isIn = (country: string): boolean => Object.hasOwn(COUNTRIES, country)

/** Whether a row is of a race of horses under saddle in a country of ours; otherwise what it is of. */
function unusedMarket(row: CsvRow): string | null {
  const country = line(row, 'country') ?? 'no country'
  if (line(row, 'sport') !== HORSE_RACING) return 'other sports'
  if (!isIn(country)) return `races in ${country}`
  return WITH_SULKIES.test(line(row, 'market_name') ?? '') ? 'harness races' : null
}

const WIN = 'WIN'
const PLACE = 'PLACE'

export const isWin = (row: CsvRow): boolean => unusedMarket(row) === null && line(row, 'market_type') === WIN
export const isPlace = (row: CsvRow): boolean =>
  unusedMarket(row) === null && line(row, 'market_type') === PLACE

/** What a row is of which nothing is needed; `null` for one of a win or place market of a race. */
export function unusedRow(row: CsvRow): string | null {
  const unused = unusedMarket(row)
  if (unused !== null) return `runners of markets on ${unused}`
  return isWin(row) || isPlace(row)
    ? null
    : `runners of markets of type ${line(row, 'market_type') ?? 'unknown'}`
}

export const CLOSED = 'CLOSED'
export const REMOVED = 'REMOVED'

/** Throws `missing-field`, and what `instant` does. */
export function timeIn(row: CsvRow, column: string): string {
  const time = instant(row, column)
  if (time === null) throw new RowError('missing-field', column)
  return time
}

const DAY_MS = 86_400_000

export interface Meeting {
  stadiumId: string
  /** Of the clocks of the course. */
  date: string
}

/** The courses of a name in regions, the likeliest first. */
const coursesOf = (venue: string, regions: readonly RegionRules[]): string[] =>
  regions.flatMap(
    (region) => (region === AUSTRALIA ? stadiumOf(venue) : courseNamed(venue, region.code)) ?? [],
  )

/** Where a market's race is run, and on which day there. Throws `unknown-venue`, `unknown-zone`, and what `timeIn` does. */
export function meetingOf(row: CsvRow): Meeting {
  const venue = required(row, 'venue')
  const country = required(row, 'country')
  const regions = isIn(country) ? COUNTRIES[country]! : []
  const [stadiumId] = coursesOf(venue, regions)
  if (stadiumId === undefined) throw new RowError('unknown-venue', `${country}: ${venue}`)
  const timeZone = line(row, 'timezone') ?? clockOfCourse(stadiumId)
  const start = new Date(timeIn(row, 'starts_at'))
  try {
    return { stadiumId, date: dayIn(timeZone, start) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new RowError('unknown-zone', `timezone: ${timeZone}`)
  }
}

/** A cell's text; `null` for one that is blank or cannot be read. */
const known = (row: CsvRow, column: string): string | null => nullOnRowError(() => line(row, column))

/** Whether a row that cannot be read may be of the win market of a race that is read. */
export function mayBeWin(row: CsvRow): boolean {
  const country = known(row, 'country')
  return (
    (known(row, 'sport') ?? HORSE_RACING) === HORSE_RACING &&
    (country === null || isIn(country)) &&
    (known(row, 'market_type') ?? WIN) === WIN
  )
}

/**
 * Whether the race of a row that cannot be read may be one of a meeting. A course that is not known has no meeting; without a
 * course it may be at any one of its country, and without a time on any day.
 */
export function mayBeAt(row: CsvRow, { stadiumId, date }: Meeting): boolean {
  const meeting = nullOnRowError(() => meetingOf(row))
  if (meeting !== null) return meeting.stadiumId === stadiumId && meeting.date === date
  const country = known(row, 'country')
  const venue = known(row, 'venue')
  const regions =
    country === null ? Object.values(COUNTRIES).flat() : isIn(country) ? COUNTRIES[country]! : []
  const isThere =
    venue === null
      ? regions.includes(regionOfStadium(stadiumId)!)
      : coursesOf(venue, regions).includes(stadiumId)
  const [time] = ['starts_at', 'first_starts_at', 'meeting_starts_at'].flatMap(
    (column) => nullOnRowError(() => instant(row, column)) ?? [],
  )
  const daysOff = time === undefined ? 0 : (Date.parse(time.slice(0, 10)) - Date.parse(date)) / DAY_MS
  // Without its time zone, the day at the course may be the one before or behind.
  return isThere && Math.abs(daysOff) <= 1
}
