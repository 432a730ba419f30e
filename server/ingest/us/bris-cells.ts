import { JUMP_COURSES } from '../../../contract/jump-courses.ts'
import { doubleText, type GameplayClass } from '../../../domain/gameplay.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { printedLengths } from '../../../domain/margin.ts'
import { parseDividendCents } from '../../../domain/money.ts'
import { ENTRY_LETTERS } from '../../../domain/program-number.ts'
import { MOST_ODDS } from '../../../domain/reading/read-odds.ts'
import { instantOf } from '../../../domain/wall-clock.ts'
import type { RaceDraft, RunnerDraft } from '../../drafts/drafts.ts'
import { calendarDay, decimal, integer, line, raceKey, required, text, wordIn } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError } from '../reading/format.ts'
import { TRACKS } from './tracks.ts'

/** Cells of the charts of BRIS, by the names that the format gives them. */

/** A code of two letters is filled up with an X, as in the names of the files and in other charts. */
const codeOf = (row: CsvRow): string => required(row, 'track').padEnd(3, 'X')

/** The race of a row. Throws `unknown-venue`, `bad-date`, `bad-race-number`. */
export function raceOf(row: CsvRow): ReturnType<typeof raceKey> {
  const code = codeOf(row)
  if (!Object.hasOwn(TRACKS, code)) throw new RowError('unknown-venue', `track: ${required(row, 'track')}`)
  const cell = required(row, 'date')
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(cell) ?? []
  if (day === undefined) throw new RowError('bad-date', `date: ${cell} (write it like 20180929)`)
  const date = calendarDay(Number(year), Number(month), Number(day), 'date')
  return raceKey(`US${code}`, date, integer(row, 'race'))
}

const OFF = /^0?(1[0-2]|0?[1-9])([0-5]\d)$/
const NOON = 12
const FIRST_MORNING_HOUR = 10
/** Races of a card are further apart than this, in minutes. */
const BETWEEN_RACES = 15
const EVENING = 'E'

/**
 * The instant of the off, which is written without AM or PM, `00104` for four past one, on the clocks of the track. Nothing is run
 * from midnight to ten in the morning, so that a late race of a card that has come to ten by its clock is one of the evening; races
 * of an evening card are not run before noon. `null` if the file does not say it. Throws `bad-time`.
 */
export function offOf(row: CsvRow, date: string): string | null {
  const cell = text(row, 'off')
  if (cell === null || /^0+$/.test(cell)) return null
  const [, hour, minute] = OFF.exec(cell) ?? []
  if (hour === undefined) throw new RowError('bad-time', `off: ${cell} (write it like 00104)`)
  const earliest = FIRST_MORNING_HOUR * 60 + ((integer(row, 'race') ?? 1) - 1) * BETWEEN_RACES
  const isMorning = Number(hour) * 60 + Number(minute) >= earliest && required(row, 'card') !== EVENING
  const hours = isMorning || Number(hour) === NOON ? Number(hour) : Number(hour) + NOON
  return instantOf(date, `${String(hours).padStart(2, '0')}:${minute}`, clockOfCourse(`US${codeOf(row)}`))
}

const METRES: Readonly<Record<string, number>> = { Y: 0.9144, F: 201.168, M: 1 }
const MOST_METRES = 10_000

/** In whole metres, up to 10,000; `null` if the file does not say it. Throws `unknown-unit`, `not-a-number`, `out-of-range`. */
export function distanceOf(row: CsvRow): number | null {
  const distance = decimal(row, 'distance')
  if (distance === null || distance === 0) return null
  const unit = required(row, 'unit')
  const metres = wordIn(METRES, unit)
  if (metres === undefined) throw new RowError('unknown-unit', `unit: ${unit} (one of Y, F, M)`)
  const inMetres = Math.round(distance * metres)
  if (inMetres < 1 || inMetres > MOST_METRES)
    throw new RowError('out-of-range', `distance: ${distance} ${unit} (1 to ${MOST_METRES} m)`)
  return inMetres
}

const SURFACES: Readonly<Record<string, RaceDraft['track']>> = {
  D: 'dirt',
  d: 'dirt',
  T: 'turf',
  t: 'turf',
  A: 'awt',
}

/** The surface that the race was run on, also if it was taken off the turf. Throws `unknown-course`. */
export function surfaceOf(row: CsvRow): RaceDraft['track'] {
  const cell = line(row, 'surface')
  const track = cell === null ? null : wordIn(SURFACES, cell)
  if (track === undefined) throw new RowError('unknown-course', `surface: ${cell}`)
  return track
}

const GOINGS: Readonly<Record<string, string>> = {
  FT: 'fast',
  HD: 'firm',
  FM: 'firm',
  GD: 'good',
  YL: 'yielding',
  SF: 'soft',
  HY: 'heavy',
  SY: 'sloppy',
  MY: 'muddy',
  WF: 'wet_fast',
  SL: 'slow',
}

/** Throws `unknown-going`. */
export function goingOf(row: CsvRow, track: RaceDraft['track']): string | null {
  const cell = line(row, 'going')
  if (cell === null) return null
  const going = wordIn(GOINGS, cell)
  if (going === undefined) throw new RowError('unknown-going', `going: ${cell}`)
  return track === 'awt' && (going === 'fast' || going === 'slow') ? `awt_${going}` : going
}

const WEATHERS: Readonly<Record<string, string>> = {
  Clear: 'fine',
  Cloudy: 'cloudy',
  Showery: 'showery',
  Rainy: 'rainy',
}

/** Of other weather, such as snow or fog, there is no word of ours: it is told as it is written. */
export function weatherOf(row: CsvRow): string | null {
  const cell = line(row, 'weather')
  return cell === null ? null : (wordIn(WEATHERS, cell) ?? cell)
}

const GRADE = /^(?:G([1-3])|([1-3])C)$/

/** The grade, of American and of Canadian races, or else what BRIS calls the class in short: `MSW62000`. */
export function classOf(row: CsvRow): string | null {
  const [, american, canadian] = GRADE.exec(line(row, 'type') ?? '') ?? []
  const grade = american ?? canadian
  return grade === undefined ? line(row, 'class') : `G${grade}`
}

const HURDLES = /\bhurdles?\b/i
const FENCES = /\brun over (?:the )?(?:national )?(?:fences|hurdles)\b/i
const CHASES = /\b(?:steeplechase|timber)\b/i

/** Nothing but the race's name, and the beginning of its conditions, says that it is over jumps. */
export function courseOf(row: CsvRow): string | null {
  const name = row['name'] ?? ''
  if (HURDLES.test(name) || FENCES.test(row['conditions'] ?? '')) return JUMP_COURSES[0]
  return CHASES.test(name) ? JUMP_COURSES[1] : null
}

/** Nothing that runs is as fast, in metres a second; some charts of long races lack the minutes. */
const FASTEST = 22

/**
 * The time of whoever finished first, in milliseconds, from seconds; `null` if the file does not say it. Throws `not-a-time` for one in
 * which nothing can have run the distance, `not-a-number`, `out-of-range`.
 */
export function winningTimeOf(row: CsvRow, distanceM: number | null): number | null {
  const seconds = decimal(row, 'time', 0, 1_000)
  if (seconds === null || seconds === 0) return null
  if (distanceM !== null && distanceM / seconds > FASTEST)
    throw new RowError('not-a-time', `time: ${seconds} s for ${distanceM} m`)
  return Math.round(seconds * 1_000)
}

const SCRATCHED = 'SCR'
export const isScratched = (row: CsvRow): boolean => text(row, 'program') === SCRATCHED

const PROGRAM = /^(\d{1,2})([ABCX])?$/
/**
 * A number of the program: its betting interest, and the saddle number of the horse. Throws `no-saddle-number`.
 *
 * ```ts
 * readProgram('13') // => { interest: 13, horseNo: 13 }
 * readProgram('1A') // => { interest: 1, horseNo: 31 }
 * ```
 */
export function readProgram(written: string): { interest: number; horseNo: number } {
  const [, digits, letter] = PROGRAM.exec(written.trim()) ?? []
  const interest = Number(digits ?? 0)
  const horseNo = letter === undefined ? interest : interest + ENTRY_LETTERS[letter]!
  if (interest < 1 || horseNo > 99) throw new RowError('no-saddle-number', `program: ${written}`)
  return { interest, horseNo }
}

export const programOf = (row: CsvRow): ReturnType<typeof readProgram> =>
  readProgram(required(row, 'program'))

/**
 * Final odds with the stake, in hundredths, which are to one in the files: 3.6 for `2.60`; `null` of a horse without bets. Throws
 * `odds-out-of-range`, `not-a-number`.
 */
export function oddsOf(row: CsvRow): number | null {
  const toOne = decimal(row, 'odds')
  if (text(row, 'without_bets') !== null) return null
  if (toOne === null || toOne <= 0 || toOne >= MOST_ODDS)
    throw new RowError('odds-out-of-range', `odds: ${toOne}`)
  return Math.round((toOne + 1) * 100) / 100
}

/** Stands for lengths that nobody measured. */
const NOT_MEASURED = 99.99

const LAST_PLACE = 99

/**
 * How a horse finished, and its lengths behind the first horse. One that was pulled up, fell or was outdistanced has a place in the
 * files, behind all others, and no lengths.
 */
export function finishOf(
  row: CsvRow,
): Pick<RunnerDraft, 'status' | 'place' | 'placeCode'> & { behind: number | null } {
  if (isScratched(row)) return { status: 'withdrawn', place: null, placeCode: 'SCR', behind: null }
  const place = integer(row, 'official', 0, LAST_PLACE)
  const behind = decimal(row, 'behind', 0, 1_000)
  const isLeft = place === null || place === 0 || place === LAST_PLACE || behind === NOT_MEASURED
  if (isLeft) return { status: 'unfinished', place: null, placeCode: 'DNF', behind: null }
  return { status: 'finished', place, placeCode: null, behind: behind ?? 0 }
}

/** Margins in words, which the files write as lengths: a nose, a head and a neck. */
const IN_WORDS: Readonly<Record<string, string>> = { '0.05': 'N', '0.1': 'HD', '0.25': 'NK' }

export function marginOf(lengths: number): string | null {
  if (lengths <= 0) return null
  return IN_WORDS[String(lengths)] ?? printedLengths(lengths) ?? String(lengths)
}

const CALLS = ['start', 'call_1', 'call_2', 'call_3', 'stretch', 'finish'] as const

/** The positions at the calls that the race has, up to the finish. Throws `out-of-range`, `not-whole`, `not-a-number`. */
export function positionsOf(row: CsvRow): string | null {
  const calls = CALLS.map((call) => integer(row, call, 0, LAST_PLACE) ?? 0)
  return calls.filter((call) => call > 0).join(' ') || null
}

/** First name, middle name and last name, as people are called. */
export function personOf(row: CsvRow, kind: 'jockey' | 'trainer' | 'owner'): string | null {
  const names = ['first', 'middle', 'last'].flatMap((part) => line(row, `${kind}_${part}`) ?? [])
  return names.length === 0 ? null : names.join(' ').replaceAll(/\s+/g, ' ')
}

/**
 * What is known by a horse's name, which has the country that it comes from if that is not America. Other charts have it in
 * capitals.
 */
export const brandOf = (name: string): string => name.toUpperCase()

/** Bets that are bet types here, by their names in the United States and in Canada. */
export const WAGERS: Readonly<Record<string, GameplayClass | 'double'>> = {
  Exacta: 5,
  Exactor: 5,
  Perfecta: 5,
  Quinella: 3,
  Trifecta: 7,
  Triactor: 7,
  Superfecta: 9,
  'Daily Double': 'double',
}

const ALL = 'ALL'

/** The betting interests of each leg of a combination, `6-1/2`; `null` for a leg that every horse wins. */
export const legsOf = (written: string): (number[] | null)[] =>
  written
    .split('-')
    .map((leg) =>
      leg.trim().toUpperCase() === ALL
        ? null
        : [...new Set(leg.split(/[/,]/).map((each) => readProgram(each).interest))],
    )

/** Every combination of one interest of each leg that has no interest twice. */
export const combinationsOf = (legs: readonly (readonly number[])[]): number[][] =>
  legs
    .reduce<number[][]>((sets, leg) => sets.flatMap((set) => leg.map((each) => [...set, each])), [[]])
    .filter((set) => new Set(set).size === set.length)

/** The combination of a double as it is stored. Throws `bad-combination`. */
export function doubleOf(legs: readonly (readonly number[] | null)[], written: string): string {
  const combination = doubleText(legs.map((leg) => leg?.join(',') ?? 'F').join('/'))
  if (combination === null) throw new RowError('bad-combination', `winning_numbers: ${written}`)
  return combination
}

/** Amounts below a dollar may begin with the point. */
const withZero = (amount: string): string => amount.replace(/^\./, '0.')

/** What a bet of `stake` dollars was paid, as cents for 10; `null` if nothing was. Throws `bad-dividend`. */
export function dividendOf(row: CsvRow, column: string, stake: string): number | null {
  const cell = text(row, column)
  if (cell === null || Number(cell) === 0) return null
  try {
    return parseDividendCents(`${withZero(cell)}/$${withZero(stake)}`)
  } catch {
    throw new RowError('bad-dividend', `${column}: ${cell} for ${stake}`)
  }
}
