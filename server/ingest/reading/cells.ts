import { makeRaceId } from '../../../domain/race-id.ts'
import { instantOf } from '../../../domain/wall-clock.ts'
import { cleanText, hasInvisible } from '../../../domain/reading/clean-text.ts'
import { readFlag } from '../../../domain/reading/read-flag.ts'
import { readDay, type DayForm } from '../../../domain/reading/read-day.ts'
import { calendarDay as existingDay, readInstant } from '../../../domain/reading/read-instant.ts'
import { readNumber } from '../../../domain/reading/read-number.ts'
import { isOtherNumber, MOST_ODDS } from '../../../domain/reading/read-odds.ts'
import { readRaceTime } from '../../../domain/reading/read-race-time.ts'
import { readWhole } from '../../../domain/reading/read-whole.ts'
import { within, type Reading } from '../../../domain/reading/reading.ts'
import type { RaceDraft } from '../../drafts/drafts.ts'
import { RowError, type Note } from './format.ts'
import type { CsvRow } from './csv-file.ts'

/** What files write for a value that there is none of. */
const BLANKS = new Set(['', '---', '--', '-'])

/** NUL, which no database can store, and the replacement character for bytes that are not valid UTF-8. */
const UNREADABLE = ['\0', '\uFFFD']

/** What a spreadsheet wrote in place of a text that it took for a formula: `+NOSE` becomes `#NAME?`. */
const FORMULA_ERROR = /^#(?:NAME\?|REF!|VALUE!|DIV\/0!|NUM!)$/

/**
 * The cell's text, or `null` for a blank or dashes. Throws `unreadable-characters` for NUL and for bytes that
 * are not in the file's encoding, `invisible-characters` for those that take no room or change the direction of the
 * text around them: a name with them looks like another one, and `spreadsheet-error` for what a spreadsheet has lost.
 */
export function text(row: CsvRow, column: string): string | null {
  const cell = row[column]?.trim() ?? ''
  if (UNREADABLE.some((character) => cell.includes(character)))
    throw new RowError('unreadable-characters', column)
  if (hasInvisible(cell)) throw new RowError('invisible-characters', column)
  if (FORMULA_ERROR.test(cell)) throw new RowError('spreadsheet-error', `${column}: ${cell}`)
  return BLANKS.has(cell) ? null : cell
}

/** What a cell says, `null` for a blank. Throws the reader's problem, with the cell and the right form. */
function readBy<Value>(
  row: CsvRow,
  column: string,
  read: (cell: string) => Reading<Value, string>,
): Value | null {
  const cell = text(row, column)
  if (cell === null) return null
  const reading = read(cell)
  if (reading.kind === 'value') return reading.value
  if (reading.kind === 'missing') return null
  throw new RowError(reading.problem, `${column}: ${cell} (write it like ${reading.form})`)
}

/** A name or another short text that must not be blank. Throws `missing-field`, `text-too-long`. */
export function required(row: CsvRow, column: string): string {
  const cell = line(row, column)
  if (cell === null) throw new RowError('missing-field', column)
  return cell
}

/** As many characters as a name may have, as in the feed. */
const MOST_CHARACTERS = 200

/** A name or another short text, or `null` for a blank. Throws `text-too-long`. */
export function line(row: CsvRow, column: string): string | null {
  const cell = text(row, column)
  if (cell !== null && cell.length > MOST_CHARACTERS)
    throw new RowError('text-too-long', `${column}: ${cell.length} characters (at most ${MOST_CHARACTERS})`)
  return cell
}

/**
 * A whole number, also written `3.0`, or `null` for a blank. Throws `not-a-number`, `not-whole`, and `out-of-range` outside
 * `from` to `to`.
 */
export const integer = (row: CsvRow, column: string, from = -1e9, to = 1e9): number | null =>
  readBy(row, column, (cell) => readWhole(cell, { from, to }))

/**
 * A decimal number with a point, and optional commas between thousands, or `null` for a blank. Throws `not-a-number`,
 * `other-decimal-sign` for `6,5`, and `out-of-range` outside `from` to `to`.
 */
export const decimal = (row: CsvRow, column: string, from = -1e9, to = 1e9): number | null =>
  readBy(row, column, (cell) => within(readNumber(cell, { decimal: '.', plain: true }), from, to))

/**
 * Decimal odds, which are at least 1 with the stake, or `null` for a blank. Throws `not-a-number`, also for American odds,
 * `other-decimal-sign`, `odds-out-of-range`.
 */
export function odds(row: CsvRow, column: string): number | null {
  const cell = text(row, column)
  if (cell !== null && isOtherNumber(cell))
    throw new RowError('not-a-number', `${column}: ${cell} (write it like 4.50)`)
  const value = decimal(row, column, -Infinity, Infinity)
  if (value !== null && (value < 1 || value > MOST_ODDS))
    throw new RowError('odds-out-of-range', `${column}: ${value}`)
  return value
}

/** An instant with `Z` or an offset, or `null` for a blank. Throws `not-an-instant`, `no-zone`, `no-such-day`. */
export const instant = (row: CsvRow, column: string): string | null => readBy(row, column, readInstant)

const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d(?:\.\d+)?)?$/

/**
 * The instant at which the clocks of a zone show a time of a day: `9:05`, `14:40:00.000`; seconds are ignored. `null` for a blank.
 * Throws `bad-time`.
 */
export function clockTime(row: CsvRow, column: string, date: string, timeZone: string): string | null {
  const cell = text(row, column)
  if (cell === null) return null
  const [, hour, minute] = CLOCK.exec(cleanText(cell)) ?? []
  if (hour === undefined) throw new RowError('bad-time', `${column}: ${cell} (write it like 14:40)`)
  return instantOf(date, `${hour.padStart(2, '0')}:${minute}`, timeZone)
}

/** Whether a cell says yes, or `null` for a blank. Throws `unknown-word`. */
const flag = (row: CsvRow, column: string): boolean | null => readBy(row, column, readFlag)

/** Milliseconds of a race's time, or `null` for a blank. Throws `not-a-time`. */
const raceTime = (row: CsvRow, column: string): number | null => readBy(row, column, readRaceTime)

const FIRST_YEAR = 1900
const LAST_YEAR = 2100

/** A date as `yyyy-mm-dd`, checked to exist and to be plausible. Throws `bad-date`, `date-out-of-range`. */
export function calendarDay(year: number, month: number, day: number, column?: string): string {
  const written = `${column === undefined ? '' : `${column}: `}${year}-${month}-${day}`
  if (year < FIRST_YEAR || year > LAST_YEAR) throw new RowError('date-out-of-range', written)
  const date = existingDay(year, month, day)
  if (date === null) throw new RowError('bad-date', written)
  return date
}

/** A day written `yyyy-mm-dd`. */
export function isoDay(row: CsvRow, column: string): string {
  const cell = required(row, column)
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(cell)
  if (!match) throw new RowError('bad-date', `${column}: ${cell} (write it like 2026-11-22)`)
  return calendarDay(Number(match[1]), Number(match[2]), Number(match[3]), column)
}

/** A day in any form of which `form` says the order, as `yyyy-mm-dd`. Throws `missing-field`, `not-a-day`, `no-such-day`. */
export function dayIn(row: CsvRow, column: string, form: DayForm): string {
  const day = readBy(row, column, (cell) => readDay(cell, form))
  if (day === null) throw new RowError('missing-field', column)
  return day
}

/** Milliseconds of a race's time; `null` if there is none, or if it cannot be read. */
export function raceTimeMs(cell: string | null): number | null {
  const reading = cell === null ? null : readRaceTime(cell)
  return reading?.kind === 'value' ? reading.value : null
}

/** As many words as a message lists. */
const MOST_WORDS = 6

/** One of a fixed list of words. Throws `unknown-word`. */
export function oneOf<Word extends string>(row: CsvRow, column: string, words: readonly Word[]): Word {
  const cell = required(row, column)
  const word = words.find((candidate) => candidate === cell)
  if (word === undefined) {
    const shown = words.slice(0, MOST_WORDS).join(', ')
    const more = words.length > MOST_WORDS ? ' …' : ''
    throw new RowError('unknown-word', `${column}: ${cell} (one of ${shown}${more})`)
  }
  return word
}

/** What a table says of a cell; a cell like `constructor` is in none. */
export const wordIn = <Word>(words: Readonly<Record<string, Word>>, cell: string): Word | undefined =>
  Object.hasOwn(words, cell) ? words[cell] : undefined

/**
 * Reads a field that is not essential: an invalid value becomes `null` and is noted, and the row is kept.
 * Places, saddle numbers and whatever identifies a race are never read through this.
 */
export function lenient<Value>(note: Note, read: () => Value | null): Value | null {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RowError)) throw error
    note(error.kind, error.message)
    return null
  }
}

/** The fields of a row that are not essential, read leniently. */
export const lenientCells = (row: CsvRow, note: Note) => ({
  words: (column: string) => lenient(note, () => line(row, column)),
  whole: (column: string, from = 0, to = 9999) => lenient(note, () => integer(row, column, from, to)),
  decimal: (column: string, from?: number, to?: number) =>
    lenient(note, () => decimal(row, column, from, to)),
  odds: (column: string) => lenient(note, () => odds(row, column)),
  time: (column: string) => lenient(note, () => raceTime(row, column)),
  flag: (column: string) => lenient(note, () => flag(row, column)),
  by: <Value>(column: string, read: (cell: string) => Reading<Value, string>) =>
    lenient(note, () => readBy(row, column, read)),
})

/** A saddle number, also as pandas writes it: `3.0`. */
const SADDLE_NUMBER = /^(\d{1,2})(?:\.0*)?$/

/** Different saddle numbers from 1 to 99; `null` if a text is none, or if two are the same. */
export function saddleNumbers(texts: readonly string[]): number[] | null {
  const horses = texts.map((each) => Number(SADDLE_NUMBER.exec(cleanText(each))?.[1] ?? 0))
  return horses.every((no) => no > 0) && new Set(horses).size === horses.length ? horses : null
}

/** A race number has two digits in a race id. */
const MOST_RACES = 99

/** What identifies a race. Throws `bad-race-number`. */
export function raceKey(
  stadiumId: string,
  date: string,
  raceNo: number | null,
): Pick<RaceDraft, 'id' | 'stadiumId' | 'date' | 'raceNo'> {
  if (raceNo === null || raceNo < 1 || raceNo > MOST_RACES)
    throw new RowError('bad-race-number', String(raceNo))
  return { id: makeRaceId({ stadium: stadiumId, date, raceNo }), stadiumId, date, raceNo }
}

/** The ids that the races of a course can have on a day. */
export const raceIdsOn = (stadium: string, date: string): string[] =>
  Array.from({ length: MOST_RACES }, (_, index) => makeRaceId({ stadium, date, raceNo: index + 1 }))
