import type { Scalar } from '../../../analytics/model.ts'

/** Cells of a row by name and type; reading a column that the query did not select is a programming error. */
type Row = Readonly<Record<string, Scalar | null>>

function cell(row: Row, name: string): Scalar | null {
  const value = row[name]
  if (value === undefined) throw new TypeError(`no column ${name}`)
  return value
}

export function numberOrNull(row: Row, name: string): number | null {
  const value = cell(row, name)
  if (value === null || typeof value === 'number') return value
  throw new TypeError(`${name} is no number`)
}

/** A number; unknown counts as 0, like an empty sum. */
export const numberOf = (row: Row, name: string): number => numberOrNull(row, name) ?? 0

export function textOrNull(row: Row, name: string): string | null {
  const value = cell(row, name)
  if (value === null || typeof value === 'string') return value
  throw new TypeError(`${name} is no text`)
}

export const textOf = (row: Row, name: string): string => textOrNull(row, name) ?? ''

export const flagOf = (row: Row, name: string): boolean => cell(row, name) === true

/** An interval's bounds; `null` if unknown. */
export function intervalOf(row: Row, measure: string): { low: number; high: number } | null {
  const low = numberOrNull(row, `${measure}_low`)
  const high = numberOrNull(row, `${measure}_high`)
  return low === null || high === null ? null : { low, high }
}
