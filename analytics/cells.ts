import type { Answer } from './connector.ts'
import type { Scalar } from './model.ts'
import type { Request } from './request.ts'

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

/**
 * A number, or `null` where it is unknown. Throws `TypeError` for a column that is not there or is no number, as all of these do.
 *
 * ```ts
 * numberOrNull({ return: null }, 'return') // => null
 * ```
 */
export function numberOrNull(row: AnswerRow, name: string): number | null {
  const value = cell(row, name)
  if (value === null || typeof value === 'number') return value
  throw new TypeError(`${name} is no number`)
}

/**
 * A number; unknown counts as 0, like an empty sum.
 *
 * ```ts
 * numberOf({ hits: null }, 'hits') // => 0
 * ```
 */
export const numberOf = (row: AnswerRow, name: string): number => numberOrNull(row, name) ?? 0

/**
 * A text, or `null` where it is unknown.
 *
 * ```ts
 * textOrNull({ key: null }, 'key') // => null
 * ```
 */
export function textOrNull(row: AnswerRow, name: string): string | null {
  const value = cell(row, name)
  if (value === null || typeof value === 'string') return value
  throw new TypeError(`${name} is no text`)
}

/**
 * A text; unknown is empty.
 *
 * ```ts
 * textOf({ key: null }, 'key') // => ''
 * ```
 */
export const textOf = (row: AnswerRow, name: string): string => textOrNull(row, name) ?? ''

/**
 * Whether something is known to hold.
 *
 * ```ts
 * flagOf({ locked: null }, 'locked') // => false
 * ```
 */
export const flagOf = (row: AnswerRow, name: string): boolean => cell(row, name) === true

/**
 * An interval's bounds; `null` if unknown.
 *
 * ```ts
 * intervalOf({ return_low: -0.1, return_high: 0.2 }, 'return') // => { low: -0.1, high: 0.2 }
 * ```
 */
export function intervalOf(row: AnswerRow, measure: string): { low: number; high: number } | null {
  const low = numberOrNull(row, `${measure}_low`)
  const high = numberOrNull(row, `${measure}_high`)
  return low === null || high === null ? null : { low, high }
}
