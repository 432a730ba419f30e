import { createReadStream, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'csv-parse'
import { FurlongError } from '../../../domain/errors.ts'

/** One data row, by column name. */
export type CsvRow = Readonly<Record<string, string>>

export interface CsvFile {
  path: string
  name: string
  bytes: number
  header: string[]
}

export type Encoding = 'utf8' | 'latin1'

interface ParsedRow {
  record: string[]
  info: { lines: number; bytes: number }
}

async function* parsedRows(path: string, encoding: Encoding): AsyncGenerator<ParsedRow> {
  const parser = parse({
    bom: encoding === 'utf8',
    encoding,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 1_000_000,
  })
  const source = createReadStream(path)
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    yield* parser as AsyncIterable<ParsedRow>
  } catch (error) {
    throw new FurlongError(
      'file-unreadable',
      { file: basename(path), reason: (error as Error).message },
      { cause: error },
    )
  } finally {
    source.destroy()
  }
}

/** Every file of a folder that ends in `.csv`. Throws `no-csv-files` if it has none. */
export function csvFilesAt(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  const names = readdirSync(path)
  const files = names.filter((name) => name.toLowerCase().endsWith('.csv'))
  if (files.length > 0) return files.map((name) => join(path, name))
  const shown = names.slice(0, 3).join(', ')
  throw new FurlongError('no-csv-files', { folder: path, files: names.length, names: shown })
}

/** Opens a file and reads its header. Throws `file-missing`, `file-unreadable`. */
export async function openCsv(path: string, encoding: Encoding): Promise<CsvFile> {
  const status = statSync(path, { throwIfNoEntry: false })
  if (!status?.isFile()) throw new FurlongError('file-missing', { file: path })
  for await (const { record } of parsedRows(path, encoding)) {
    return { path, name: basename(path), bytes: status.size, header: record.map((cell) => cell.trim()) }
  }
  throw new FurlongError('file-unreadable', { file: path, reason: 'empty' })
}

/**
 * The data rows of a file with their line numbers. A row whose number of cells differs from the header's is
 * passed to `onBadShape` with the cells that could be read. `onBytes` receives the number of bytes read so
 * far.
 */
export async function* readRows(
  file: CsvFile,
  encoding: Encoding,
  onBadShape: (line: number, cells: number, row: CsvRow) => void,
  onBytes: (bytes: number) => void,
): AsyncGenerator<{ row: CsvRow; cells: string[]; line: number }> {
  let first = true
  let seen = 0
  for await (const { record, info } of parsedRows(file.path, encoding)) {
    if (first) {
      first = false
      continue
    }
    seen += 1
    if (seen % 2000 === 0) onBytes(info.bytes)
    const row: Record<string, string> = {}
    for (const [index, name] of file.header.entries()) row[name] = record[index] ?? ''
    if (record.length !== file.header.length) {
      onBadShape(info.lines, record.length, row)
      continue
    }
    yield { row, cells: record, line: info.lines }
  }
  onBytes(file.bytes)
}
