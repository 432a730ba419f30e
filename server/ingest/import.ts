import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FurlongError } from '../../domain/errors.ts'
import type { Database } from '../store/database.ts'
import { holdsDemonstration, removeDemonstration } from '../store/demonstration.ts'
import { RacingWriter } from '../store/racing-writer.ts'
import { openCsv, type CsvFile } from './csv-file.ts'
import { FileReader } from './file-reader.ts'
import type { FileKind, ImportFormat } from './format.ts'
import { ReportBook, type ImportReport } from './report.ts'

export interface ImportProgress {
  file: string
  rows: number
  bytesDone: number
  bytesTotal: number
  /** `null` until it can be estimated. */
  secondsLeft: number | null
}

export interface ImportRequest {
  format: ImportFormat
  paths: readonly string[]
  /**
   * Removes the demonstration season in the same transaction; otherwise the import is refused while one is
   * present.
   */
  replaceDemonstration: boolean
  onProgress?: (progress: ImportProgress) => void
}

interface KnownFile {
  file: CsvFile
  kind: FileKind
}

/**
 * Imports files of one format atomically, in one transaction. Throws `file-missing`, `file-unreadable`,
 * `not-this-format`, `no-good-row`, `demonstration-present`.
 */
export async function importFiles(database: Database, request: ImportRequest): Promise<ImportReport> {
  const started = Date.now()
  const files = await knownFiles(request.format, request.paths)
  if (!request.replaceDemonstration && (await holdsDemonstration(database))) {
    throw new FurlongError('demonstration-present')
  }
  // Created inside, because PostgreSQL may roll the transaction back and run it again from the start.
  const book = await database.transaction(async (transaction) => {
    const book = new ReportBook()
    await removeDemonstration(transaction)
    const writer = await RacingWriter.open(transaction, book)
    if (request.format.stadiums.length > 0) await writer.place(request.format.region, request.format.stadiums)
    const bytesTotal = files.reduce((sum, { file }) => sum + file.bytes, 0)
    let bytesBefore = 0
    for (const { file, kind } of files) {
      const reader = new FileReader(request.format, kind, writer, book)
      await reader.read(file, (bytes) => {
        const bytesDone = bytesBefore + bytes
        const elapsed = (Date.now() - started) / 1000
        const secondsLeft = bytesDone === 0 ? null : (elapsed * (bytesTotal - bytesDone)) / bytesDone
        request.onProgress?.({ file: file.name, rows: book.rowsRead, bytesDone, bytesTotal, secondsLeft })
      })
      bytesBefore += file.bytes
    }
    if (files.some(({ kind }) => kind.name === 'form' || kind.name === 'results')) {
      await writer.joinForm(request.format.region)
    }
    await writer.finish()
    return book
  })
  return {
    format: request.format.name,
    files: files.length,
    rowsRead: book.rowsRead,
    duplicates: book.duplicates,
    racesWithDuplicates: book.racesWithDuplicates.size,
    nonStarters: book.nonStarters,
    tables: book.tables,
    rejects: book.rejects,
    unknown: book.unknown,
    seconds: (Date.now() - started) / 1000,
  }
}

/** Opens every named file, and every `.csv` file of a named folder; each must be of a kind in the format. */
async function knownFiles(format: ImportFormat, paths: readonly string[]): Promise<KnownFile[]> {
  const known: KnownFile[] = []
  for (const path of paths.flatMap(filesAt)) {
    const file = await openCsv(path, format.encoding)
    const kind = format.kinds.find(
      ({ columns, fileName }) =>
        columns.every((column) => file.header.includes(column)) && (fileName?.test(file.name) ?? true),
    )
    if (!kind) {
      throw new FurlongError('not-this-format', {
        file: file.name,
        format: format.name,
        kinds: format.kinds.map(({ name }) => name).join(', '),
      })
    }
    const twice = file.header.find((column, index) => column !== '' && file.header.indexOf(column) !== index)
    if (twice !== undefined) {
      throw new FurlongError('file-unreadable', { file: file.name, reason: `line 1: two columns "${twice}"` })
    }
    known.push({ file, kind })
  }
  if (known.length === 0) throw new FurlongError('file-missing', { file: paths.join(', ') })
  return known.toSorted((a, b) => a.kind.order - b.kind.order || a.file.path.localeCompare(b.file.path))
}

function filesAt(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => name.endsWith('.csv'))
    .map((name) => join(path, name))
}
