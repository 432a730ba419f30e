import type { DuckDb } from '../engine/duckdb.ts'
import { writeRaw, type Stop } from './raw-table.ts'

const ROWS_A_PART = 20_000

/**
 * Values as a record of a CSV text. Rows are inserted as CSV, because building Arrow columns evaluates code, which the
 * page's CSP forbids.
 */
export const recordOf = (values: readonly unknown[]): string => `${values.map(cellOf).join(',')}\n`

function cellOf(value: unknown): string {
  const text = printedValue(value)
  return text === null ? '' : `"${text.replaceAll('"', '""')}"`
}

/** A value as text; `null` if it is missing. A `Date` is a day and time without a zone. */
export function printedValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return dateText(value)
  if (typeof value === 'object') {
    return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
  }
  return `${value as string | number | bigint | boolean}`
}

function dateText(value: Date): string {
  const text = Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, -1)
  return text.endsWith('T00:00:00.000') ? text.slice(0, 10) : text
}

/** Creates `own_raw` from rows of values. */
export const writeRows = (
  duckdb: DuckDb,
  columns: number,
  rows: readonly (readonly unknown[])[],
  stop: Stop,
): Promise<void> =>
  writeRaw(duckdb, columns, ',', async (append) => {
    const encoder = new TextEncoder()
    for (let at = 0; at < rows.length; at += ROWS_A_PART) {
      stop.check()
      const records = rows
        .slice(at, at + ROWS_A_PART)
        .map((row) => recordOf(Array.from({ length: columns }, (_, column) => row[column])))
      await append(encoder.encode(records.join('')), at)
    }
  })
