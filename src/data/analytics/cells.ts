import type { Answer } from '../../../analytics/connector.ts'
import type { Scalar } from '../../../analytics/model.ts'
import type { Request } from '../../../analytics/request.ts'

/** A row of a result: every column in its `columns`, with its type or `null`. */
export type AnswerRow = Readonly<Record<string, Scalar | null>>

/** A result with decoded rows. */
export type Rows = Omit<Answer, 'bytes'> & { rows: AnswerRow[]; request: Request }

/** A row's cell; reading a column that the query did not select is a programming error. */
function cell(row: AnswerRow, name: string): Scalar | null {
  const value = row[name]
  if (value === undefined) throw new TypeError(`no column ${name}`)
  return value
}

export function numberOrNull(row: AnswerRow, name: string): number | null {
  const value = cell(row, name)
  if (value === null || typeof value === 'number') return value
  throw new TypeError(`${name} is no number`)
}

/** A number; unknown counts as 0, like an empty sum. */
export const numberOf = (row: AnswerRow, name: string): number => numberOrNull(row, name) ?? 0

export function textOrNull(row: AnswerRow, name: string): string | null {
  const value = cell(row, name)
  if (value === null || typeof value === 'string') return value
  throw new TypeError(`${name} is no text`)
}

export const textOf = (row: AnswerRow, name: string): string => textOrNull(row, name) ?? ''

export const flagOf = (row: AnswerRow, name: string): boolean => cell(row, name) === true

/** An interval's bounds; `null` if unknown. */
export function intervalOf(row: AnswerRow, measure: string): { low: number; high: number } | null {
  const low = numberOrNull(row, `${measure}_low`)
  const high = numberOrNull(row, `${measure}_high`)
  return low === null || high === null ? null : { low, high }
}
