import { makeRaceId } from '../../../domain/race-id.ts'
import type { RaceDraft } from '../../drafts/drafts.ts'
import { RowError, type Note } from './format.ts'
import type { CsvRow } from './csv-file.ts'

const BLANKS = new Set(['', '---', '--', '-'])

/** NUL, which no database can store, and the replacement character for bytes that are not valid UTF-8. */
const UNREADABLE = ['\0', '\uFFFD']

/**
 * The cell's text, or `null` for a blank or dashes. Throws `unreadable-characters` for NUL and for bytes that
 * are not in the file's encoding.
 */
export function text(row: CsvRow, column: string): string | null {
  const cell = row[column]?.trim() ?? ''
  if (UNREADABLE.some((character) => cell.includes(character)))
    throw new RowError('unreadable-characters', column)
  return BLANKS.has(cell) ? null : cell
}

/** The text of a cell that must not be blank. Throws `missing-field`. */
export function required(row: CsvRow, column: string): string {
  const cell = text(row, column)
  if (cell === null) throw new RowError('missing-field', column)
  return cell
}

/** An integer, or `null` for a blank. Throws `not-a-number`, and `out-of-range` outside `from` to `to`. */
export function integer(row: CsvRow, column: string, from = -1e9, to = 1e9): number | null {
  const cell = text(row, column)
  if (cell === null) return null
  if (!/^-?\d{1,9}$/.test(cell)) throw new RowError('not-a-number', `${column}: ${cell}`)
  const value = Number(cell)
  if (value < from || value > to) throw new RowError('out-of-range', `${column}: ${cell}`)
  return value
}

/** A decimal number, with optional thousands separators, or `null` for a blank. Throws `not-a-number`. */
export function decimal(row: CsvRow, column: string): number | null {
  const cell = text(row, column)?.replaceAll(',', '')
  if (cell === undefined) return null
  if (!/^-?\d{1,12}(\.\d{1,9})?(e-?\d+)?$/i.test(cell)) {
    throw new RowError('not-a-number', `${column}: ${cell}`)
  }
  const value = Number(cell)
  if (!Number.isFinite(value)) throw new RowError('not-a-number', `${column}: ${cell}`)
  return value
}

/** Odds: a positive number, or `null` for a blank. Throws `odds-out-of-range`. */
export function odds(row: CsvRow, column: string): number | null {
  const value = decimal(row, column)
  if (value !== null && value <= 0) throw new RowError('odds-out-of-range', `${column}: ${value}`)
  return value
}

const FIRST_YEAR = 1900
const LAST_YEAR = 2100

/** A date as `yyyy-mm-dd`, checked to exist and to be plausible. Throws `bad-date`, `date-out-of-range`. */
export function calendarDay(year: number, month: number, day: number): string {
  if (year < FIRST_YEAR || year > LAST_YEAR)
    throw new RowError('date-out-of-range', `${year}-${month}-${day}`)
  const at = new Date(Date.UTC(year, month - 1, day))
  if (at.getUTCFullYear() !== year || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) {
    throw new RowError('bad-date', `${year}-${month}-${day}`)
  }
  return at.toISOString().slice(0, 10)
}

/** A day written `yyyy-mm-dd`. */
export function isoDay(row: CsvRow, column: string): string {
  const cell = required(row, column)
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(cell)
  if (!match) throw new RowError('bad-date', `${column}: ${cell}`)
  return calendarDay(Number(match[1]), Number(match[2]), Number(match[3]))
}

/** Milliseconds of `1:23.30`, `1.11.17` (minutes, seconds, hundredths) or `58.4`; otherwise `null`. */
export function raceTimeMs(cell: string | null): number | null {
  const match = cell === null ? null : /^(?:(\d{1,2})[:.])?(\d{1,2})\.(\d{1,2})$/.exec(cell)
  if (!match) return null
  const [, minutes = '0', seconds = '0', fraction = '0'] = match
  return Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(fraction.padEnd(2, '0')) * 10
}

/** One of a fixed list of words. Throws `unknown-word`. */
export function oneOf<Word extends string>(row: CsvRow, column: string, words: readonly Word[]): Word {
  const cell = required(row, column)
  const word = words.find((candidate) => candidate === cell)
  if (word === undefined) throw new RowError('unknown-word', `${column}: ${cell}`)
  return word
}

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
  words: (column: string) => lenient(note, () => text(row, column)),
  whole: (column: string, from = 0, to = 9999) => lenient(note, () => integer(row, column, from, to)),
  decimal: (column: string) => lenient(note, () => decimal(row, column)),
  odds: (column: string) => lenient(note, () => odds(row, column)),
  time: (column: string) => lenient(note, () => raceTimeMs(text(row, column))),
})

/** What identifies a race. Throws `bad-race-number`. */
export function raceKey(
  stadiumId: string,
  date: string,
  raceNo: number | null,
): Pick<RaceDraft, 'id' | 'stadiumId' | 'date' | 'raceNo'> {
  if (raceNo === null || raceNo < 1 || raceNo > 99) throw new RowError('bad-race-number', String(raceNo))
  return { id: makeRaceId({ stadium: stadiumId, date, raceNo }), stadiumId, date, raceNo }
}
