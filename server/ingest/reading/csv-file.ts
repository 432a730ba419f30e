import { closeSync, createReadStream, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { FurlongError } from '../../../domain/errors.ts'
import { delimiterOf } from '../../../domain/reading/delimiter.ts'
import { MARKET_COLUMNS, MARKET_FILE, marketReader } from './market-file.ts'

/** One data row, by column name. */
export type CsvRow = Readonly<Record<string, string>>

export interface CsvFile {
  path: string
  name: string
  bytes: number
  /** The names of its columns; as it is opened, its first line. */
  header: string[]
  hasHeader: boolean
  /** What divides its cells. */
  delimiter: Delimiter
  encoding: Encoding
  /** Of a file that is no table: what makes one of it. Throws `file-unreadable`. */
  rows: (() => AsyncIterable<FileRow>) | null
}

/** A data row with its cells in the order of the columns, and the line that it is read from. */
interface FileRow {
  row: CsvRow
  cells: string[]
  line: number
}

/** Spreadsheets of countries with a decimal comma divide cells by semicolons. */
const DELIMITERS = [',', ';', '\t'] as const
type Delimiter = (typeof DELIMITERS)[number]

/** Encodings of files, as `TextDecoder` names them: `latin1` is windows-1252. */
export const ENCODINGS = ['utf8', 'latin1', 'shift_jis', 'big5', 'gb18030'] as const
export type Encoding = (typeof ENCODINGS)[number]

interface ParsedRow {
  record: string[]
  info: { lines: number; bytes: number }
}

async function* parsedRows(
  path: string,
  encoding: Encoding,
  delimiter: Delimiter,
): AsyncGenerator<ParsedRow> {
  // The parser decodes UTF-8 alone; what Node calls latin1 lacks the quotes and dashes of Windows.
  const isParsed = encoding === 'utf8'
  const parser = parse({
    delimiter,
    bom: isParsed,
    encoding: 'utf8',
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 1_000_000,
  })
  const source: Readable = isParsed ? createReadStream(path) : Readable.from(decoded(path, encoding))
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    yield* parser as AsyncIterable<ParsedRow>
  } catch (error) {
    throw unreadable(path, error)
  } finally {
    source.destroy()
  }
}

const unreadable = (path: string, error: unknown): FurlongError =>
  new FurlongError(
    'file-unreadable',
    { file: basename(path), reason: (error as Error).message },
    { cause: error },
  )

async function* decoded(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
    yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** A chart of BRIS: track, day and kind, `BEL09292018.2`. No one reads the texts, `.6`. */
const CHART = /^[a-z]{2,3}\d{8}\.[1-5]$/i
const isReadInFolders = (name: string): boolean => /\.csv$/i.test(name) || CHART.test(name)

function marketFilesIn(path: string): string[] {
  try {
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
    return names.filter((name) => MARKET_FILE.test(basename(name))).map((name) => join(path, name))
  } catch (error) {
    throw unreadable(path, error)
  }
}

/**
 * Every file of a folder that an import reads; if it has none, every file of markets in its folders, which are delivered by month,
 * day and meeting. Throws `no-csv-files` if it has neither, `file-unreadable` for a folder in it that cannot be read.
 */
export function csvFilesAt(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  const names = readdirSync(path)
  const files = names.filter(isReadInFolders)
  if (files.length > 0) return files.map((name) => join(path, name))
  const markets = marketFilesIn(path)
  if (markets.length > 0) return markets
  const shown = names.slice(0, 3).join(', ')
  throw new FurlongError('no-csv-files', { folder: path, files: names.length, names: shown })
}

/**
 * Opens a file and reads its header, whose most frequent delimiter divides the cells. `otherwise`: the encoding of a file whose
 * beginning is in it, and not in the usual one; a few bad bytes of the usual one are told with their rows. A chart of a day without
 * anything of its kind is empty, and has no columns. Throws `file-missing`, and `file-unreadable` for any other file that is empty.
 */
export async function openCsv(path: string, usual: Encoding, otherwise?: Encoding): Promise<CsvFile> {
  const status = statSync(path, { throwIfNoEntry: false })
  if (!status?.isFile()) throw new FurlongError('file-missing', { file: path })
  const start = startOf(path)
  const file = { path, name: basename(path), bytes: status.size }
  const rows = marketReader(path, start.toString('latin1'))
  if (rows !== null) {
    // Of thousands of such files, others have a turn between two.
    await setImmediate()
    return { ...file, header: [...MARKET_COLUMNS], hasHeader: true, delimiter: ',', encoding: usual, rows }
  }
  const delimiter = delimiterIn(start)
  const isUsual = otherwise === undefined || isIn(start, usual) || !isIn(start, otherwise)
  const encoding = isUsual ? usual : otherwise
  for await (const { record } of parsedRows(path, encoding, delimiter)) {
    const header = record.map((cell) => cell.trim())
    return { ...file, header, hasHeader: true, delimiter, encoding, rows: null }
  }
  if (CHART.test(file.name)) return { ...file, header: [], hasHeader: false, delimiter, encoding, rows: null }
  throw new FurlongError('file-unreadable', { file: file.name, reason: 'empty' })
}

const HEADER_BYTES = 65_536
const BYTE_ORDER_MARK = /^\u00EF\u00BB\u00BF/
/** The first line that is not blank, with the line breaks in its quotes. */
const HEADER = /(?:"[^"]*"|[^"\r\n])+/

function delimiterIn(start: Buffer): Delimiter {
  // No other character has the bytes of a delimiter or a quote in any of the encodings.
  const [header = ''] = HEADER.exec(start.toString('latin1').replace(BYTE_ORDER_MARK, '')) ?? []
  return delimiterOf(header, DELIMITERS)
}

function isIn(start: Buffer, encoding: Encoding): boolean {
  try {
    // More follows: the last character may be cut.
    new TextDecoder(encoding, { fatal: true }).decode(start, { stream: true })
    return true
  } catch {
    return false
  }
}

function startOf(path: string): Buffer {
  const start = Buffer.alloc(HEADER_BYTES)
  try {
    const file = openSync(path, 'r')
    try {
      return start.subarray(0, readSync(file, start))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw unreadable(path, error)
  }
}

const ignore = (): void => {}

/**
 * The data rows of a file with their line numbers. A row whose number of cells differs from the header's is
 * passed to `onBadShape` with the cells that could be read. `onBytes` receives the number of bytes read so
 * far.
 */
export async function* readRows(
  file: CsvFile,
  onBadShape: (line: number, cells: number, row: CsvRow) => void = ignore,
  onBytes: (bytes: number) => void = ignore,
): AsyncGenerator<FileRow> {
  if (file.rows !== null) {
    yield* file.rows()
    onBytes(file.bytes)
    return
  }
  const { header } = file
  // Copying a row that has every column already is faster than adding each column to an empty one.
  const empty: Record<string, string> = Object.fromEntries(header.map((name) => [name, '']))
  // Of equal cells one is kept: the rows of a race, which are kept until its end, have most of theirs in common.
  let above = empty
  let first = file.hasHeader
  let seen = 0
  for await (const { record, info } of parsedRows(file.path, file.encoding, file.delimiter)) {
    if (first) {
      first = false
      continue
    }
    seen += 1
    if (seen % 2000 === 0) onBytes(Math.min(info.bytes, file.bytes))
    const row = { ...empty }
    for (let index = 0; index < header.length; index += 1) {
      const cell = record[index] ?? ''
      row[header[index]!] = cell === above[header[index]!] ? above[header[index]!]! : cell
    }
    above = row
    if (record.length !== header.length) {
      onBadShape(info.lines, record.length, row)
      continue
    }
    yield { row, cells: record, line: info.lines }
  }
  onBytes(file.bytes)
}
