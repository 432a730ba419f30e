import { BYTE_ORDER_MARK, csvCell, csvGuarded } from '../../../domain/csv.ts'
import type { ConsoleCell, ConsoleKind, ConsoleRows } from '../../data/analytics/console-rows.ts'

/** Cells that a spreadsheet reads as what they are; any other cell must stay the text that it is. */
const TYPED: Partial<Record<ConsoleKind, RegExp>> = {
  number: /^-?\d+(\.\d+)?(e[+-]?\d+)?$/,
  boolean: /^(true|false)$/,
  time: /^\d\d:\d\d:\d\d(\.\d+)?$/,
  day: /^\d{4}-\d\d-\d\d$/,
  instant: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/,
}

const cellOf = (kind: ConsoleKind, cell: ConsoleCell): string =>
  cell === null ? '' : TYPED[kind]?.test(cell) ? cell : csvCell(csvGuarded(cell))

/** The header and the rows of a result, each cell written for a spreadsheet. */
const linesOf = ({ columns, rows }: ConsoleRows): string[][] => [
  columns.map(({ name }) => csvCell(csvGuarded(name))),
  ...rows.map((row) => row.map((cell, at) => cellOf(columns[at]!.kind, cell))),
]

/** A result as CSV. */
export const csvOf = (result: ConsoleRows): string =>
  BYTE_ORDER_MARK +
  linesOf(result)
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('')

/** A cell that has tabs and is not in quotation marks yet is put in them. */
const betweenTabs = (cell: string): string =>
  cell.includes('\t') && !cell.startsWith('"') ? `"${cell}"` : cell

/** A result as the clipboard's text, of which a spreadsheet makes cells. */
export const clipboardOf = (result: ConsoleRows): string =>
  linesOf(result)
    .map((cells) => cells.map(betweenTabs).join('\t'))
    .join('\n')

/** The name of a result's file, without the extension; a file of a part of the rows says so. */
export const fileNameOf = ({ rows, truncated }: ConsoleRows): string =>
  truncated ? `furlong-query-first-${rows.length}-rows` : 'furlong-query'
