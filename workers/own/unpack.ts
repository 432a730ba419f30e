import { unzipSync, type UnzipFileInfo } from 'fflate'
import { MAX_OWN_BYTES, type OwnNote, type OwnSource } from '../../analytics/own-api.ts'
import { FurlongError } from '../../domain/errors.ts'
import { ownProblem, type Stop } from './raw-table.ts'

/** A file that was in an archive. */
export interface Unpacked {
  file: OwnSource
  note: OwnNote
}

const TABLE = /\.(?:csv|tsv|tab|txt|parquet|xlsx|jsonl|ndjson|json|gz)$/i
/** The XML of a spreadsheet is several times larger than the same table as CSV. */
const MAX_SHEET_BYTES = 3 * MAX_OWN_BYTES
/** What the systems of those who made an archive add to it. */
const NOT_OF_THE_USER = /(?:^|\/)(?:__MACOSX\/|\.|~\$|Thumbs\.db|desktop\.ini)/i

const bytesOf = async (file: OwnSource): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await file.slice(0, file.size).arrayBuffer())

const GUNZIPPED: OwnNote = { note: 'gunzipped', values: {} }

/** Unpacks a gzip file. Throws `own-file`: `archive` if it is damaged, `too-large`. */
export async function gunzipped(file: OwnSource, stop: Stop): Promise<Unpacked> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    const packed = new Blob([await bytesOf(file)]).stream()
    const reader = packed.pipeThrough(new DecompressionStream('gzip')).getReader()
    for (;;) {
      stop.check()
      const { done, value } = await reader.read()
      if (done) break
      size += value.length
      if (size > MAX_OWN_BYTES) {
        await reader.cancel()
        throw ownProblem('too-large', { limit: MAX_OWN_BYTES })
      }
      parts.push(value)
    }
  } catch (error) {
    if (error instanceof FurlongError) throw error
    throw ownProblem('archive', {}, { cause: error })
  }
  return { file: new Blob(parts), note: GUNZIPPED }
}

/**
 * The only table in a zip file, or `sheet` if the file is a spreadsheet itself. Throws `own-file`: `archive` if it is
 * damaged or has no table, `several-tables`, `other-sheet`, `too-large`.
 */
export async function entryOf(file: OwnSource): Promise<Unpacked | 'sheet'> {
  const bytes = await bytesOf(file)
  const entries: UnzipFileInfo[] = []
  unzipped(bytes, (entry) => {
    entries.push(entry)
    return false
  })
  const names = new Set(entries.map(({ name }) => name))
  if (names.has('xl/workbook.xml')) {
    const unpacked = entries.reduce((sum, { originalSize }) => sum + originalSize, 0)
    if (unpacked > MAX_SHEET_BYTES) throw ownProblem('too-large', { limit: MAX_OWN_BYTES })
    return 'sheet'
  }
  if (names.has('content.xml') || names.has('xl/workbook.bin')) throw ownProblem('other-sheet')
  const tables = entries.filter(({ name }) => TABLE.test(name) && !NOT_OF_THE_USER.test(name))
  const [table] = tables
  if (table === undefined) throw ownProblem('archive')
  if (tables.length > 1)
    throw ownProblem('several-tables', {
      names: tables
        .map(({ name }) => name)
        .join(', ')
        .slice(0, 200),
    })
  if (table.originalSize > MAX_OWN_BYTES) throw ownProblem('too-large', { limit: MAX_OWN_BYTES })
  const content = unzipped(bytes, ({ name }) => name === table.name)[table.name]
  if (content === undefined) throw ownProblem('archive')
  return {
    file: new Blob([content as Uint8Array<ArrayBuffer>]),
    note: { note: 'unpacked', values: { entry: table.name } },
  }
}

function unzipped(bytes: Uint8Array, filter: (entry: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter })
  } catch (error) {
    throw ownProblem('archive', {}, { cause: error })
  }
}
