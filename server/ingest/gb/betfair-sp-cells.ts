import { JUMP_COURSES } from '../../../contract/jump-courses.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { readDistance } from '../../../domain/reading/read-imperial.ts'
import {
  AUSTRALIA,
  dayIn as dayOfZone,
  GREAT_BRITAIN,
  IRELAND,
  regionOfStadium,
  type RegionRules,
} from '../../../domain/region.ts'
import type { RaceDraft } from '../../drafts/drafts.ts'
import { dayIn, integer, required } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError } from '../reading/format.ts'
import { stadiumAbbreviated } from '../au/betfair-tracks.ts'
import { courseAbbreviated } from './courses.ts'
import { writtenCourse } from './rpscrape-cells.ts'

/** Cells of files with Betfair's starting prices. */

/** Countries as the files write them, of which races are imported. */
const COUNTRIES: Readonly<Record<string, RegionRules>> = { GB: GREAT_BRITAIN, IRE: IRELAND, AUS: AUSTRALIA }
/** Of a course without a country. */
const USUAL = [GREAT_BRITAIN, IRELAND]

/** A country, the course and the day without its year: `GB / Uttoxeter 1st Apr`, `Nottingham 31st May`, `Sandown (AUS) 1st Aug`. */
const MENU = /^(?:([A-Z]{2,3}) ?\/ ?)?(\S.*?) (\d{1,2})(?:st|nd|rd|th) ([A-Z][a-z]{2})[a-z]*$/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `country`: of a meeting that is left out. */
export type Meeting = { stadiumId: string; date: string } | { country: string }

/** Where a course is: of one without a country, in Great Britain or Ireland. Throws `unknown-venue`. */
function stadiumOf(course: string, country: string | null): string {
  const regions = country === null ? USUAL : [COUNTRIES[country]!]
  const found = regions.flatMap(
    (region) =>
      (region === AUSTRALIA ? stadiumAbbreviated(course) : courseAbbreviated(course, region.code)) ?? [],
  )
  if (found.length !== 1) throw new RowError('unknown-venue', course)
  return found[0]!
}

/** The day in a row, on the clocks of its course. British and Irish times are on them; Australian ones are in UTC. */
function dayAt(row: CsvRow, column: string, stadiumId: string): string {
  const written = dayIn(row, column, { order: 'dmy', timeZone: GREAT_BRITAIN.timeZone })
  if (regionOfStadium(stadiumId) !== AUSTRALIA) return written
  return dayOfZone(clockOfCourse(stadiumId), new Date(`${written}T${offOf(row, column)}Z`))
}

/**
 * Where and on which day a race was run. The day stands twice in a row, once in words: that tells a file of which a spreadsheet has
 * put the month first. Throws `bad-menu-hint`, `unknown-venue`, `not-a-day`, `bad-time`, `day-contradicts-menu-hint`.
 */
export function meetingOf(row: CsvRow, menuColumn: string, timeColumn: string): Meeting {
  const menu = required(row, menuColumn)
  const [, prefix = null, course = '', day, month = ''] = MENU.exec(menu) ?? []
  if (day === undefined)
    throw new RowError('bad-menu-hint', `${menuColumn}: ${menu} (write it like GB / York 1st Apr)`)
  const { name, country } = writtenCourse(course, prefix)
  if (country !== null && !Object.hasOwn(COUNTRIES, country)) return { country }
  const stadiumId = stadiumOf(name, country)
  const inWords = `-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = dayAt(row, timeColumn, stadiumId)
  if (!date.endsWith(inWords))
    throw new RowError('day-contradicts-menu-hint', `${timeColumn}: ${row[timeColumn]}, ${menu}`)
  return { stadiumId, date }
}

const TIME = /[ T](\d{1,2}):(\d{2})(?::\d{2})?$/

/** The off of a race, `hh:mm`, as it is written: on the clocks of its course, of Australian ones in UTC. Throws `bad-time`. */
export function offOf(row: CsvRow, column: string): string {
  const cell = required(row, column)
  const [, hour = '', minute = ''] = TIME.exec(cell) ?? []
  if (hour === '' || Number(hour) > 23 || Number(minute) > 59)
    throw new RowError('bad-time', `${column}: ${cell} (write it like 31-05-2026 16:55)`)
  return `${hour.padStart(2, '0')}:${minute}`
}

/** Win markets of races are called by distance and kind: `2m4f Hcap Hrd`, Australian ones by their number too: `R6 1600m CL1`. */
const RACE = /^(?:R\d{1,2} +)?\d+(?:m|f)\d*/
/** No races of thoroughbreds, or none of all runners. */
const NO_RACE = /\b(?:trot|pace|v|vs)\b/i
const TO_BE_PLACED = /^to be placed$/i

/** What a market is about, by its name: who wins a race, who is placed in one, or something else. */
export function marketOf(name: string): 'win' | 'place' | 'other' {
  if (TO_BE_PLACED.test(name)) return 'place'
  return RACE.test(name) && !NO_RACE.test(name) ? 'win' : 'other'
}

const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^.*\bGrp ?([1-3])\b.*$/, 'G$1'],
  [/^.*\bGrd ?([1-3])\b.*$/, 'GR$1'],
  [/^.*\bList(?:ed)?\b.*$/, 'L'],
]
const JUMPS: readonly (readonly [RegExp, string])[] = [
  [/\bHrd\b/, JUMP_COURSES[0]],
  [/\bCh(?:s|ase)\b/, JUMP_COURSES[1]],
]

/** What the name of a win market says of its race. Its distance is of whole furlongs there, and in whole metres here. */
export function raceNamed(name: string): Pick<RaceDraft, 'distanceM' | 'course' | 'raceClass'> {
  const distance = readDistance(name.split(' ')[0]!)
  const [pattern, own] = CLASSES.find(([known]) => known.test(name)) ?? []
  return {
    distanceM: distance.kind === 'value' ? distance.value : null,
    course: JUMPS.find(([known]) => known.test(name))?.[1] ?? null,
    raceClass: pattern === undefined ? null : name.replace(pattern, own!),
  }
}

const NUMBERED = /^(\d{1,2})\. ?(\S.*)$/

/** A horse's name, without the saddle number that some files put before it: `1. Alpha`. */
export function horseOf(cell: string): { name: string; printedNo: number | null } {
  const [, number, name] = NUMBERED.exec(cell) ?? []
  return name === undefined ? { name: cell, printedNo: null } : { name, printedNo: Number(number) }
}

/** `shared`: in a dead heat. `removed`: the horse did not run. */
export type Result = 'won' | 'shared' | 'lost' | 'removed'

const RESULTS: Readonly<Record<number, Result>> = { 0: 'lost', 1: 'won', 2: 'shared', [-1]: 'removed' }
/** In place of the price of a horse that did not run. */
const REMOVED = 0

/** What became of bets on a horse. Throws `missing-field`, `not-a-number`, `out-of-range`, `removed-winner`. */
export function resultOf(row: CsvRow, resultColumn: string, priceColumn: string): Result {
  const mark = integer(row, resultColumn, -1, 2)
  if (mark === null) throw new RowError('missing-field', resultColumn)
  const result = RESULTS[mark]!
  if (Number(row[priceColumn]?.trim() || Number.NaN) !== REMOVED) return result
  if (result === 'won' || result === 'shared')
    throw new RowError('removed-winner', `${resultColumn}: ${mark}, ${priceColumn}: ${row[priceColumn]}`)
  return 'removed'
}
