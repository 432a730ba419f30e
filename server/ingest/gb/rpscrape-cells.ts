import { JUMP_COURSES } from '../../../contract/jump-courses.ts'
import { printedLengths } from '../../../domain/margin.ts'
import { FRANCE, GREAT_BRITAIN, IRELAND, type RegionRules } from '../../../domain/region.ts'
import type { RaceDraft, RunnerDraft } from '../../drafts/drafts.ts'
import { integer, line, required, wordIn } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError } from '../reading/format.ts'
import { courseNamed } from './courses.ts'

/** Cells of files of the results that Racing Post shows, by the columns of a layout. */

/** Countries as the files write them, of which races are imported. */
const COUNTRIES: Readonly<Record<string, RegionRules>> = { GB: GREAT_BRITAIN, IRE: IRELAND, FR: FRANCE }

const MARK = /\(([A-Z]{2,4})\)$/
const ALL_WEATHER = 'AW'

interface WrittenCourse {
  /** Without its marks. */
  name: string
  /** `null`: the file does not say it. */
  country: string | null
  isAllWeather: boolean
}

/** Takes the marks off a course: `Dundalk (AW) (IRE)`, `kempton-aw`. */
export function writtenCourse(cell: string, region: string | null): WrittenCourse {
  let name = cell
  const marks: string[] = []
  for (let mark = MARK.exec(name); mark; mark = MARK.exec(name)) {
    marks.push(mark[1]!)
    name = name.slice(0, mark.index).trimEnd()
  }
  const country = region ?? marks.find((mark) => mark !== ALL_WEATHER) ?? null
  const isAllWeather = marks.includes(ALL_WEATHER) || name.endsWith('-aw')
  return { name: name.replace(/-aw$/, ''), country, isAllWeather }
}

/** `country`: of a race that is left out. */
export type Course = { stadiumId: string; isAllWeather: boolean } | { country: string }

/**
 * Where a row's race was run. A file without a column of regions marks foreign courses, or has the ends of addresses, which are
 * looked for in all countries. Throws `unknown-venue`.
 */
export function courseOf(row: CsvRow, courseColumn: string, regionColumn: string): Course {
  const cell = required(row, courseColumn)
  const { name, country, isAllWeather } = writtenCourse(cell, line(row, regionColumn))
  if (country !== null && !Object.hasOwn(COUNTRIES, country)) return { country }
  const regions = country === null ? Object.values(COUNTRIES) : [COUNTRIES[country]!]
  const stadiumId = regions.map(({ code }) => courseNamed(name, code)).find((id) => id !== undefined)
  if (stadiumId === undefined) throw new RowError('unknown-venue', `${courseColumn}: ${cell}`)
  return { stadiumId, isAllWeather }
}

const OFF = /^(\d{1,2}):(\d{2})$/
const NOON = 12
const FIRST_MORNING_HOUR = 10

/** A time of the off on a clock of 24 hours. Files write it without PM: nothing is run before ten. Throws `not-a-time`. */
export function offOf(row: CsvRow, column: string): string {
  const cell = required(row, column)
  const [, hour = '', minute = ''] = OFF.exec(cell) ?? []
  if (minute === '' || Number(hour) < 1 || Number(hour) > 23 || Number(minute) > 59)
    throw new RowError('not-a-time', `${column}: ${cell} (write it like 2:30)`)
  const hours = Number(hour) < FIRST_MORNING_HOUR ? Number(hour) + NOON : Number(hour)
  return `${String(hours).padStart(2, '0')}:${minute}`
}

/**
 * What a code in place of a place says: pulled up, fell, unseated, brought down, ran out, refused to race, slipped up, refused,
 * disqualified, left at the start, carried out.
 */
const UNFINISHED = new Set(['PU', 'F', 'UR', 'BD', 'RO', 'RR', 'SU', 'REF', 'DSQ', 'LFT', 'CO'])

export const wasDisqualified = (row: CsvRow, column: string): boolean => line(row, column) === 'DSQ'

/** Of every runner of a race that was declared void. */
const VOID = 'VOI'

export const isVoid = (row: CsvRow, column: string): boolean => line(row, column) === VOID

/** How a runner finished. Throws `unknown-place-code`. */
export function finishOf(row: CsvRow, column: string): Pick<RunnerDraft, 'status' | 'place' | 'placeCode'> {
  const cell = required(row, column)
  if (UNFINISHED.has(cell)) return { status: 'unfinished', place: null, placeCode: cell }
  if (!/^\d/.test(cell)) throw new RowError('unknown-place-code', `${column}: ${cell}`)
  return { status: 'finished', place: integer(row, column, 1, 99), placeCode: null }
}

/** Margins that British results have in words, which the files write as lengths. */
const IN_WORDS: Readonly<Record<string, string>> = { '0.05': 'N', '0.1': 'SH', '0.2': 'HD', '0.3': 'NK' }
/** Stands for a distance, which has no certain length. */
const A_DISTANCE = 99
export const MANY_LENGTHS = 'ML'

/** The margin behind the winner as it is shown, of lengths behind it. */
export function marginOf(lengths: number | null): string | null {
  if (lengths === null || lengths <= 0) return null
  if (lengths >= A_DISTANCE) return MANY_LENGTHS
  return IN_WORDS[String(lengths)] ?? printedLengths(lengths) ?? String(lengths)
}

const GOINGS: Readonly<Record<string, string>> = {
  hard: 'firm',
  firm: 'firm',
  'good to firm': 'good_to_firm',
  good: 'good',
  'good to soft': 'good_to_soft',
  'good to yielding': 'good_to_yielding',
  yielding: 'yielding',
  'yielding to soft': 'yielding_to_soft',
  soft: 'soft',
  'soft to heavy': 'heavy',
  'very soft': 'very_soft',
  heavy: 'heavy',
  holding: 'heavy',
  standard: 'standard',
  'standard to slow': 'standard_to_slow',
  'standard to fast': 'standard_to_fast',
  fast: 'awt_fast',
  slow: 'awt_slow',
}

/** Going, as a word of ours, and track and course. Throws `unknown-going`. */
export function goingOf(row: CsvRow, column: string): string | null {
  const cell = line(row, column)
  if (cell === null) return null
  const going = wordIn(GOINGS, cell.toLowerCase())
  if (going === undefined) throw new RowError('unknown-going', `${column}: ${cell}`)
  return going
}

const SURFACES: Readonly<Record<string, RaceDraft['track']>> = { turf: 'turf', aw: 'awt', dirt: 'dirt' }
const JUMPS: Readonly<Record<string, string>> = { Hurdle: JUMP_COURSES[0], Chase: JUMP_COURSES[1] }

/** Turf unless the file says otherwise. Throws `unknown-course`. */
export function surfaceOf(row: CsvRow, column: string): RaceDraft['track'] {
  const cell = line(row, column) ?? 'turf'
  const track = wordIn(SURFACES, cell.toLowerCase())
  if (track === undefined) throw new RowError('unknown-course', `${column}: ${cell}`)
  return track
}

/** Hurdles and fences are courses of their own. */
export function groundOf(
  { type, surface, going }: { type: string | null; surface: RaceDraft['track']; going: string | null },
  isAllWeather: boolean,
): Pick<RaceDraft, 'track' | 'course'> {
  const isAwt = isAllWeather || /^(?:standard|awt)/.test(going ?? '')
  return { track: isAwt ? 'awt' : surface, course: wordIn(JUMPS, type ?? '') ?? null }
}

/** `G1` for a Group 1 race, `GR1` for a Grade 1 race over jumps, `L` for a listed race, `C4` for class 4; others as they are written. */
export function classOf(raceClass: string | null, pattern: string | null): string | null {
  const [, kind, number] = /^(Group|Grade) ([1-3])$/.exec(pattern ?? '') ?? []
  if (kind !== undefined) return `${kind === 'Group' ? 'G' : 'GR'}${number}`
  if (pattern === 'Listed') return 'L'
  return pattern ?? raceClass?.replace(/^Class ([1-7])$/, 'C$1') ?? null
}

const GEAR: Readonly<Record<string, string>> = {
  b: 'B',
  e: 'EC',
  'e/s': 'ES',
  h: 'H',
  p: 'CP',
  t: 'TT',
  v: 'V',
}
const FIRST_TIME = '1'

/** Gear in the codes of Hong Kong, of `ht1`: `H/TT1`. Throws `unknown-gear`. */
export function gearOf(row: CsvRow, column: string): string | null {
  const cell = line(row, column)
  if (cell === null) return null
  const items = cell.toLowerCase().match(/(?:e\/s|[a-z])\d?/g) ?? []
  const known = items.map((item) => {
    const isFirst = item.endsWith(FIRST_TIME)
    const code = wordIn(GEAR, isFirst ? item.slice(0, -1) : item)
    return code === undefined ? null : code + (isFirst ? FIRST_TIME : '')
  })
  if (items.join('') !== cell.toLowerCase() || known.includes(null))
    throw new RowError('unknown-gear', `${column}: ${cell}`)
  return known.join('/')
}

/**
 * What a horse is known by, in the letters and digits of a brand: its name with the country that it ends with, without accents,
 * and without apostrophes, which some files leave out.
 *
 * ```ts
 * brandOf("Suzi's Connoisseur (GB)") // => 'SuzisConnoisseurGB'
 * ```
 */
export const brandOf = (name: string): string => name.normalize('NFD').replaceAll(/[^A-Za-z0-9]/g, '')

/**
 * A dam's name with its country as other names have theirs: files write British ones without brackets.
 *
 * ```ts
 * withCountry('Swirral Edge GB') // => 'Swirral Edge (GB)'
 * ```
 */
export const withCountry = (name: string | null): string | null => name?.replace(/ GB$/, ' (GB)') ?? null

const AMOUNT = /^(€|£)?((?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?)$/
const CURRENCIES: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP' }

const MOST_PRIZE = 1e9

/**
 * Cents of a prize in the region's currency; 0 for a blank, `null` for a prize in another one. Amounts without a sign are pounds.
 * Throws `not-a-number`, `out-of-range`.
 */
export function prizeOf(row: CsvRow, column: string, { currency }: RegionRules): number | null {
  const cell = line(row, column)
  if (cell === null) return 0
  const [, sign = '£', written] = AMOUNT.exec(cell) ?? []
  if (written === undefined) throw new RowError('not-a-number', `${column}: ${cell} (write it like 1234.50)`)
  const amount = Number(written.replaceAll(',', ''))
  if (amount > MOST_PRIZE) throw new RowError('out-of-range', `${column}: ${cell} (at most ${MOST_PRIZE})`)
  return CURRENCIES[sign] === currency ? Math.round(amount * 100) : null
}
