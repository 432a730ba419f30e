import type { OwnNote } from '../../analytics/own-api.ts'
import { isMissing } from '../../domain/reading/clean-text.ts'
import { delimiterOf } from '../../domain/reading/delimiter.ts'
import { cellsOf, DELIMITERS } from './csv-scanner.ts'
import { isValue, ownProblem } from './raw-table.ts'

const LF = 10
const QUOTE = 34
/** Records by which the header is found. */
const LOOKED_AT = 60

/** The header of a CSV file. */
export interface Head {
  names: string[]
  delimiter: string
  /** Bytes and lines before the first row. */
  bytes: number
  lines: number
  notes: OwnNote[]
}

interface HeadRecord {
  text: string
  /** The line of its beginning, and the number of its lines. */
  line: number
  lines: number
  /** Bytes up to the end of its line break. */
  end: number
}

/**
 * Finds the header in the beginning of a CSV file (UTF-8): lines above it and a line `sep=` are skipped. `whole`: the
 * bytes are the whole file. Throws `own-file`.
 */
export function readHead(bytes: Uint8Array, whole: boolean): Head {
  const records = recordsOf(bytes, whole)
  const notes: OwnNote[] = []
  const separator = /^"?sep=([^\w"'\s]|\t|\\t)"?$/i.exec(records[0]?.text ?? '')?.[1]
  if (separator !== undefined) records.shift()
  const [first] = records
  if (first === undefined) throw ownProblem('no-header')
  const delimiter =
    separator === undefined ? delimiterFor(records) : separator === String.raw`\t` ? '\t' : separator
  const at = headerAt(records.map(({ text }) => cellsIn(text, delimiter)))
  const header = records[at]!
  if (header.text.includes('\r')) throw ownProblem('line-endings')
  const names = cellsOf(header.text, delimiter)
  const skipped = header.line - 1
  if (skipped > 0) notes.push({ note: 'above', values: { count: skipped } })
  return {
    names: withRowNames(
      names,
      records.slice(at + 1).map(({ text }) => cellsIn(text, delimiter)),
    ),
    delimiter,
    bytes: header.end,
    lines: header.line + header.lines - 1,
    notes,
  }
}

/** The first records that are not blank. */
function recordsOf(bytes: Uint8Array, whole: boolean): HeadRecord[] {
  const decoder = new TextDecoder('utf-8')
  const records: HeadRecord[] = []
  let [start, line, lines, inQuote] = [0, 1, 1, false]
  const add = (end: number, next: number): void => {
    const text = decoder.decode(bytes.subarray(start, end)).replace(/\r$/, '')
    if (text.trim() !== '') records.push({ text, line, lines, end: next })
    line += lines
    lines = 1
    start = next
  }
  for (let at = 0; at < bytes.length && records.length < LOOKED_AT; at += 1) {
    if (bytes[at] === QUOTE) inQuote = !inQuote
    else if (bytes[at] === LF) {
      if (inQuote) lines += 1
      else add(at, at + 1)
    }
  }
  if (records.length >= LOOKED_AT) return records
  if (whole && !inQuote && start < bytes.length) add(bytes.length, bytes.length)
  if (records.length === 0 && start < bytes.length)
    throw ownProblem(inQuote ? 'quote' : 'line-too-long', { line: 1 })
  return records
}

/** The cells of a record; a record with an open quote is one cell. */
function cellsIn(text: string, delimiter: string): string[] {
  try {
    return cellsOf(text, delimiter)
  } catch {
    return [text]
  }
}

/** The number of cells that most records have, and how many have it; records of one cell do not count. */
function usualCells(counts: readonly number[]): { cells: number; records: number } {
  const found = new Map<number, number>()
  for (const count of counts) if (count > 1) found.set(count, (found.get(count) ?? 0) + 1)
  const [[cells, records] = [1, 0]] = [...found].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])
  return { cells, records }
}

/** The separator with which the most records have the same number of cells; of several, the one with the most cells. */
function delimiterFor(records: readonly HeadRecord[]): string {
  const found = DELIMITERS.map((delimiter) => ({
    delimiter,
    ...usualCells(records.map(({ text }) => cellsIn(text, delimiter).length)),
  }))
  const [best] = found.toSorted((a, b) => b.records - a.records || b.cells - a.cells)
  return best !== undefined && best.records > 1 ? best.delimiter : delimiterOf(records[0]!.text, DELIMITERS)
}

const filledIn = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length

/**
 * The index of the header: the first record with as many cells as most, of which half are not blank. Records above it
 * are skipped only if it has names and no values; otherwise the first record is the header.
 */
export function headerAt(records: readonly string[][]): number {
  const { cells } = usualCells(records.map(({ length }) => length))
  const at = records.findIndex((record) => record.length === cells && filledIn(record) * 2 >= cells)
  if (at <= 0) return 0
  if (!records[at]!.some(isValue)) return at
  // Rows with names of their own have one cell more than the header.
  const above = records[at - 1]!
  return above.length === cells - 1 && filledIn(above) > 1 && !above.some(isValue) ? at - 1 : 0
}

/** The names with one for cells that all rows have beyond them: empty ones at the end, or the rows' own names in front. */
function withRowNames(names: string[], rows: readonly string[][]): string[] {
  const longer = rows.filter(({ length }) => length === names.length + 1)
  if (longer.length === 0 || longer.length < rows.length) return names
  return longer.every((cells) => isMissing(cells.at(-1)!)) ? [...names, ''] : ['', ...names]
}
