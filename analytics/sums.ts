import type { Measure, Sum } from './model.ts'

/** A sum that partial sums can be added up to. */
export const additive = (sql: string): Sum => ({ sql, kind: 'additive' })
/** The sum of an expression of type DOUBLE; 0 without rows. */
const sumOf = (value: string): Sum => ({ ...additive(`coalesce(sum(${value}), 0)`), value })
/** The number of distinct values of a column. */
export const distinct = (column: string): Sum => ({
  sql: `count(DISTINCT ${column})::DOUBLE`,
  kind: 'distinct',
  column,
})
/**
 * The number of rows that meet a condition, times `weight`. A sum of CASE expressions, because FILTER is
 * evaluated again in each grouping set, an expression once per row.
 */
export const count = (condition: string, weight = 1): Sum =>
  sumOf(`(CASE WHEN ${condition} THEN ${weight} ELSE 0 END)::DOUBLE`)
/** The sum of a value over the rows that meet a condition; 0 without rows. */
export const total = (value: string, condition?: string): Sum =>
  sumOf(condition ? `CASE WHEN ${condition} THEN (${value})::DOUBLE ELSE 0 END` : `(${value})::DOUBLE`)

/** A measure that consists of one sum. */
export const plain = (name: string, unit: Measure['unit'] = 'count'): Measure => ({
  sums: [name],
  sql: `{${name}}`,
  unit,
})

const sumsIn = (sql: string): string[] => [
  ...new Set(Array.from(sql.matchAll(/\{(\w+)\}/g), ([, name]) => name!)),
]

/** A measure that is an expression over sums `{name}`, without an interval. */
export const formula = (sql: string, unit: Measure['unit']): Measure => ({ sums: sumsIn(sql), sql, unit })

/** A measure that is a ratio of expressions over sums `{name}`, with the inputs for its interval by meeting. */
export const ratio = (
  numerator: string,
  denominator: string,
  unit: Measure['unit'],
  kind: 'share' | 'mean' = 'mean',
): Measure => ({
  sums: sumsIn(`${numerator} ${denominator}`),
  sql: `(${numerator}) / nullif(${denominator}, 0)`,
  unit,
  ratio: { numerator, denominator, kind },
})

/** A measure over each single bet in chronological order (`orderedSums`). */
export const inOrder = (name: string, unit: Measure['unit']): Measure => ({
  sums: [],
  sql: `{${name}}`,
  unit,
  ordered: true,
})

/**
 * The measures, and the numerator and the denominator of each ratio as measures of their own (`…_numerator`, `…_denominator`):
 * those of several groups add up to the ratio of the groups together.
 */
export function withParts<Measures extends Readonly<Record<string, Measure>>>(
  measures: Measures,
): Measures & Readonly<Record<string, Measure>> {
  const parts = Object.entries(measures).flatMap(([name, { ratio: of, ...rest }]) =>
    of ? RATIO_PARTS.map((part) => [`${name}_${part}`, { ...rest, ...formula(of[part], 'count') }]) : [],
  )
  return { ...measures, ...(Object.fromEntries(parts) as Record<string, Measure>) }
}
export const RATIO_PARTS = ['numerator', 'denominator'] as const

/** Rows with both the first recorded odds and the final odds. */
const MOVED = 'opening_odds IS NOT NULL AND win_odds IS NOT NULL'

/**
 * The sums for closing line value (first recorded odds over final odds, minus 1) over the rows that meet a
 * condition: `beaten` adds up the value, `moved` counts the rows.
 */
export function closingSums(condition: string): { beaten: Sum; moved: Sum } {
  const rows = `${condition} AND ${MOVED}`
  return { beaten: total('opening_odds::DOUBLE / win_odds::DOUBLE - 1', rows), moved: count(rows) }
}
