import type { Measure, Sum } from './model.ts'

/** A sum that parts can be added up to. */
export const additive = (sql: string): Sum => ({ sql, kind: 'additive' })
/** The sum of an expression of type DOUBLE; 0 of no rows. */
const sumOf = (value: string): Sum => ({ ...additive(`coalesce(sum(${value}), 0)`), value })
/** How many different values a column has. */
export const distinct = (column: string): Sum => ({
  sql: `count(DISTINCT ${column})::DOUBLE`,
  kind: 'distinct',
  column,
})
/**
 * How many rows a condition holds for. A sum of zeros and ones: FILTER is evaluated anew in each grouping set, an
 * expression once a row.
 */
export const count = (condition: string, weight = 1): Sum =>
  sumOf(`(CASE WHEN ${condition} THEN ${weight} ELSE 0 END)::DOUBLE`)
/** The sum of a value over the rows that a condition holds for; 0 of none. */
export const total = (value: string, condition?: string): Sum =>
  sumOf(condition ? `CASE WHEN ${condition} THEN (${value})::DOUBLE ELSE 0 END` : `(${value})::DOUBLE`)

/** A measure that is one sum. */
export const plain = (name: string, unit: Measure['unit'] = 'count'): Measure => ({
  sums: [name],
  sql: `{${name}}`,
  unit,
})

/** A measure that is a ratio of sums, with what its interval by meeting is made of. */
export const ratio = (
  sums: readonly string[],
  numerator: string,
  denominator: string,
  unit: Measure['unit'],
  kind: 'share' | 'mean' = 'mean',
): Measure => ({
  sums,
  sql: `(${numerator}) / nullif(${denominator}, 0)`,
  unit,
  ratio: { numerator, denominator, kind },
})

/** Rows whose first odds seen and final odds are both known. */
const MOVED = 'opening_odds IS NOT NULL AND win_odds IS NOT NULL'

/**
 * The sums of closing line value, by how much the first odds seen were longer than the final ones, over rows that a condition
 * holds for: of the value, and of the rows.
 */
export function closingSums(condition: string): { beaten: Sum; moved: Sum } {
  const rows = `${condition} AND ${MOVED}`
  return { beaten: total('opening_odds::DOUBLE / win_odds::DOUBLE - 1', rows), moved: count(rows) }
}
