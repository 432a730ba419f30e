/**
 * Selects `count` of the rows, evenly spaced and including the first and last; all of
 * them if there are no more.
 */
export function evenly<Row>(rows: readonly Row[], count: number): Row[] {
  if (rows.length <= count) return [...rows]
  return Array.from(
    { length: count },
    (_, index) => rows[Math.round((index * (rows.length - 1)) / (count - 1))]!,
  )
}
