import { AUSTRALIA, dayIn, GREAT_BRITAIN, IRELAND, type RegionRules } from '../../../domain/region.ts'
import { stadiumOf } from '../au/betfair-tracks.ts'
import { courseNamed } from '../gb/courses.ts'
import { instant, line, required } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError } from '../reading/format.ts'

/** Cells of a table of Betfair's markets, in the columns of `MARKET_COLUMNS`. */

const HORSE_RACING = '7'
/** Where a course is looked for by the country of its market: Northern Ireland races with the Republic. */
const COUNTRIES: Readonly<Record<string, readonly RegionRules[]>> = {
  GB: [GREAT_BRITAIN, IRELAND],
  IE: [IRELAND, GREAT_BRITAIN],
  AU: [AUSTRALIA],
}
const WITH_SULKIES = /\b(?:pace|trot)\b/i

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

/** Where a market's race is run, and on which day there. Throws `unknown-venue`, `unknown-zone`, and what `timeIn` does. */
export function meetingOf(row: CsvRow): { stadiumId: string; date: string } {
  const venue = required(row, 'venue')
  const country = required(row, 'country')
  const regions = isIn(country) ? COUNTRIES[country]! : []
  const ids = regions.map((region) =>
    region === AUSTRALIA ? stadiumOf(venue) : courseNamed(venue, region.code),
  )
  const stadiumId = ids.find((id) => id !== undefined)
  if (stadiumId === undefined) throw new RowError('unknown-venue', `${country}: ${venue}`)
  const timeZone = line(row, 'timezone') ?? regions[0]!.timeZone
  const start = new Date(timeIn(row, 'starts_at'))
  try {
    return { stadiumId, date: dayIn(timeZone, start) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new RowError('unknown-zone', `timezone: ${timeZone}`)
  }
}

/** What is the same in all spellings of a horse's name: `Suzi's Connoisseur (GB)`, `Suzis Connoisseur`. */
export const spelling = (name: string): string =>
  name
    .replace(/\s*\([A-Z]{2,3}\)$/, '')
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toLowerCase()
