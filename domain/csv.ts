/**
 * Formats a cell of a CSV file (RFC 4180); `null` is an empty cell. Text that a spreadsheet would run as a
 * formula is prefixed with an apostrophe.
 */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const guarded = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** Spreadsheets recognise a file as UTF-8 only with this prefix. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Cells as a line, with its line break. */
export const csvLine = (cells: readonly (string | number | boolean | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`
