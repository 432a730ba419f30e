import { parquetMetadataAsync, parquetReadObjects, parquetSchema, type AsyncBuffer } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { MAX_OWN_ROWS, type OwnProgress, type OwnSource } from '../../analytics/own-api.ts'
import type { DuckDb } from '../engine/duckdb.ts'
import { checkHeader, ownProblem, writeRaw, type RawTable, type Stop } from './raw-table.ts'

const ROWS_A_PART = 50_000

/** Reads a Parquet file into the table `own_raw`, every cell as text. Throws `own-file`. */
export async function readParquet(
  duckdb: DuckDb,
  file: OwnSource,
  stop: Stop,
  onProgress: (progress: OwnProgress) => void,
): Promise<RawTable> {
  const buffer: AsyncBuffer = {
    byteLength: file.size,
    slice: (from, to) => file.slice(from, to ?? file.size).arrayBuffer(),
  }
  const metadata = await unlessBroken(() => parquetMetadataAsync(buffer))
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  checkHeader(names, {})
  const rows = Number(metadata.num_rows)
  if (rows === 0) throw ownProblem('no-rows')
  if (rows > MAX_OWN_ROWS) throw ownProblem('too-many-rows', { limit: MAX_OWN_ROWS })
  const encoder = new TextEncoder()
  await writeRaw(duckdb, names.length, ',', async (append) => {
    for (let rowStart = 0; rowStart < rows; rowStart += ROWS_A_PART) {
      stop.check()
      const rowEnd = Math.min(rows, rowStart + ROWS_A_PART)
      const part = await unlessBroken(() =>
        parquetReadObjects({ file: buffer, metadata, rowStart, rowEnd, compressors }),
      )
      // Rows are inserted via CSV, because building Arrow columns evaluates code, which the page's CSP forbids.
      const lines = part.map((row) => `${names.map((name) => cell(row[name])).join(',')}\n`)
      await append(encoder.encode(lines.join('')), rowStart)
      onProgress({ doneBytes: Math.round((file.size * rowEnd) / rows), totalBytes: file.size })
    }
  })
  return { names, lines: null, commaSeparates: true }
}

/** A cell of a CSV record. */
function cell(value: unknown): string {
  const text = printedValue(value)
  return text === null ? '' : `"${text.replaceAll('"', '""')}"`
}

/** A value as text in CSV; `null` if it is missing. */
function printedValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) {
    const text = value.toISOString()
    return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text
  }
  if (typeof value === 'object') {
    return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
  }
  return `${value as string | number | bigint | boolean}`
}

async function unlessBroken<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw ownProblem('parquet', { reason: reason.slice(0, 200) }, { cause: error })
  }
}
