/**
 * A cell of a CSV file (RFC 4180); `null` is an empty one. Text that a spreadsheet would run as a formula gets an
 * apostrophe before it.
 */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const guarded = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** A spreadsheet reads UTF-8 only after it. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Cells as a line, with its end. */
export const csvLine = (cells: readonly (string | number | boolean | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`
