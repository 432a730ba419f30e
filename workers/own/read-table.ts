import { MAX_OWN_BYTES, type OwnChoices, type OwnProgress, type OwnSource } from '../../analytics/own-api.ts'
import type { DuckDb } from '../engine/duckdb.ts'
import { ownProblem, type RawTable, type Stop } from './raw-table.ts'
import { readCsv } from './read-csv.ts'
import type { Unpacked } from './unpack.ts'

/** How a file of each kind begins. */
const BEGINNINGS = {
  parquet: [0x50, 0x41, 0x52, 0x31],
  zip: [0x50, 0x4b, 3, 4],
  gzip: [0x1f, 0x8b],
  /** Sheets of Excel 97 to 2003, and other files of that time. */
  old: [0xd0, 0xcf, 0x11, 0xe0],
} as const

/** An archive in an archive is read, but not one deeper. */
const MAX_DEPTH = 2

/**
 * Reads a table in any of the known formats into the table `own_raw`, every cell as text: CSV, JSON lines, Parquet,
 * XLSX, also in a gzip or zip archive. The readers of all but CSV are loaded with the first such file. Throws `own-file`.
 */
export async function readTable(
  duckdb: DuckDb,
  file: OwnSource,
  choices: Pick<OwnChoices, 'encoding'>,
  stop: Stop,
  onProgress: (progress: OwnProgress) => void,
  depth = 0,
): Promise<RawTable> {
  if (file.size === 0) throw ownProblem('empty')
  if (file.size > MAX_OWN_BYTES) throw ownProblem('too-large', { limit: MAX_OWN_BYTES })
  const head = new Uint8Array(await file.slice(0, Math.min(file.size, 1000)).arrayBuffer())
  const begins = (kind: keyof typeof BEGINNINGS): boolean =>
    BEGINNINGS[kind].every((byte, at) => head[at] === byte)
  const readUnpacked = async ({ file: inner, note }: Unpacked): Promise<RawTable> => {
    if (depth >= MAX_DEPTH) throw ownProblem('archive')
    const raw = await readTable(duckdb, inner, choices, stop, onProgress, depth + 1)
    return { ...raw, notes: [note, ...raw.notes] }
  }
  if (begins('old')) throw ownProblem('other-sheet')
  if (begins('gzip')) {
    const { gunzipped } = await import('./unpack.ts')
    return readUnpacked(await gunzipped(file, stop))
  }
  if (begins('zip')) {
    const { entryOf } = await import('./unpack.ts')
    const found = await entryOf(file)
    if (found !== 'sheet') return readUnpacked(found)
    const { readSheet } = await import('./read-sheet.ts')
    return readSheet(duckdb, file, stop)
  }
  if (begins('parquet')) {
    const { readParquet } = await import('./read-parquet.ts')
    return readParquet(duckdb, file, stop, onProgress)
  }
  if (/^[\s\uFEFF]*(?:\{|\[\s*\{)/.test(new TextDecoder().decode(head))) {
    const { readJson } = await import('./read-json.ts')
    return readJson(duckdb, file, choices.encoding, stop)
  }
  return readCsv(duckdb, file, choices.encoding, stop, onProgress)
}
