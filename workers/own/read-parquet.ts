import {
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type AsyncBuffer,
  type FileMetaData,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { MAX_OWN_ROWS, type OwnProgress, type OwnSource } from '../../analytics/own-api.ts'
import type { DuckDb } from '../engine/duckdb.ts'
import { checkHeader, ownProblem, writeRaw, type RawTable, type Stop } from './raw-table.ts'
import { recordOf } from './write-rows.ts'

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
  const printed = printersOf(metadata)
  await writeRaw(duckdb, names.length, ',', async (append) => {
    for (let rowStart = 0; rowStart < rows; rowStart += ROWS_A_PART) {
      stop.check()
      const rowEnd = Math.min(rows, rowStart + ROWS_A_PART)
      const part = await unlessBroken(() =>
        parquetReadObjects({ file: buffer, metadata, rowStart, rowEnd, compressors }),
      )
      const lines = part.map((row) => recordOf(names.map((name, at) => printed[at]!(row[name]))))
      await append(encoder.encode(lines.join('')), rowStart)
      onProgress({ doneBytes: Math.round((file.size * rowEnd) / rows), totalBytes: file.size })
    }
  })
  return { names, lines: null, notes: [], encoding: null, likelyDecimal: '.' }
}

/** How the values of each column are printed: instants with `Z`, days and times without a zone as they are. */
function printersOf(metadata: FileMetaData): ((value: unknown) => unknown)[] {
  return parquetSchema(metadata).children.map(({ element }) => {
    const { logical_type: logical, converted_type: converted } = element
    const isInstant =
      logical?.type === 'TIMESTAMP' ? logical.isAdjustedToUTC : (converted?.startsWith('TIMESTAMP') ?? false)
    return isInstant ? (value) => (value instanceof Date ? value.toISOString() : value) : (value) => value
  })
}

async function unlessBroken<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw ownProblem('parquet', { reason: reason.slice(0, 200) }, { cause: error })
  }
}
