import { MAX_OWN_COLUMNS, type OwnEncoding, type OwnNote, type OwnProblem } from '../../analytics/own-api.ts'
import { FurlongError, type ErrorDetails } from '../../domain/errors.ts'
import { readDay } from '../../domain/reading/read-day.ts'
import { readNumber, type DecimalSign } from '../../domain/reading/read-number.ts'
import type { DuckDb } from '../engine/duckdb.ts'
import { runShortSql } from '../engine/run-sql.ts'

const PART = 'own-part.csv'

/** An error for a problem with the user's file, with the values for its message. */
export const ownProblem = (
  problem: OwnProblem,
  details: ErrorDetails = {},
  options?: ErrorOptions,
): FurlongError => new FurlongError('own-file', { problem, ...details }, options)

/** A file as read: the table `own_raw` has `row_no` from 1 and the cells as texts `c0`, `c1`, … */
export interface RawTable {
  names: string[]
  /** Line of each row in the file; `null` if the format has no lines. */
  lines: number[] | null
  /** `null` for a file that is not text. */
  encoding: OwnEncoding | null
  /** The decimal sign of numbers that can be read with either, if nothing in the file says it. */
  likelyDecimal: DecimalSign
  /** What was assumed or left out so far. */
  notes: OwnNote[]
}

/** Allows reading to be cancelled between two parts. */
export interface Stop {
  /** Throws `query-cancelled` once reading has been cancelled. */
  check(): void
}

/** Whether a text is a value rather than a name. */
export const isValue = (cell: string): boolean =>
  readNumber(cell, { decimal: '.' }).kind === 'value' ||
  readDay(cell, { order: 'dmy', timeZone: 'UTC' }).kind === 'value'

/** Throws `own-file` if the header has no names or too many. `place`: its line, if the format has lines. */
export function checkHeader(names: readonly string[], place: { line?: number }): void {
  const named = names.filter((name) => name.trim() !== '')
  // A header that consists of values is a row.
  if (named.filter(isValue).length * 2 >= named.length) throw ownProblem('no-header')
  if (names.length === 1) throw ownProblem('one-column', place)
  if (names.length > MAX_OWN_COLUMNS)
    throw ownProblem('too-many-columns', { ...place, limit: MAX_OWN_COLUMNS })
}

/** Appends the records of a CSV text without a header to `own_raw`, which has `rows` rows already. */
export type Append = (bytes: Uint8Array, rows: number) => Promise<unknown>

/**
 * Creates `own_raw` and fills it by what `fill` appends, in a single transaction: rows that are committed part by part
 * are copied once more. The connection must run nothing else meanwhile. If `fill` throws, the table is empty.
 */
export async function writeRaw(
  duckdb: DuckDb,
  columns: number,
  delimiter: string,
  fill: (append: Append) => Promise<void>,
): Promise<void> {
  const { database } = duckdb
  const names = Array.from({ length: columns }, (_, at) => `c${at}`)
  const read = `read_csv('${PART}', header = false, auto_detect = false, delim = '${delimiter === '\t' ? String.raw`\t` : delimiter}',
    quote = '"', escape = '"', new_line = '\\n', strict_mode = true, null_padding = false,
    columns = {${names.map((name) => `'${name}': 'VARCHAR'`).join(', ')}})`
  // The table of the previous file is dropped before the transaction, so that both are never in memory.
  await runShortSql(
    duckdb,
    `CREATE OR REPLACE TABLE own_raw (row_no INTEGER, ${names.map((name) => `${name} VARCHAR`).join(', ')})`,
  )
  await runShortSql(duckdb, 'BEGIN')
  try {
    await fill((bytes, rows) =>
      // All messages are sent at once: the engine does not wait for this thread between them.
      allSettled([
        database.registerFileBuffer(PART, bytes),
        runShortSql(
          duckdb,
          `INSERT INTO own_raw SELECT (${rows} + row_number() OVER ())::INTEGER, * FROM ${read}`,
        ),
        database.dropFile(PART),
      ]),
    )
    await runShortSql(duckdb, 'COMMIT')
  } catch (error) {
    // After a failed COMMIT there is no transaction left; the first error is the one to report.
    await runShortSql(duckdb, 'ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Waits for all promises, then throws the error of the first that was rejected. */
async function allSettled(promises: readonly Promise<unknown>[]): Promise<void> {
  const settled = await Promise.allSettled(promises)
  const failed = settled.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
