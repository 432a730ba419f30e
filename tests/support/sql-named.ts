import type { Scalar } from '../../analytics/model.ts'

/**
 * PostgreSQL's rows with the column names of their SQL, by which DuckDB returns its own: `horseNo1` is `horse_no_1`
 * again, and `r2` stays.
 */
export const sqlNamed = <Value extends Scalar | null>(
  rows: readonly Readonly<Record<string, Value>>[],
): Record<string, Value>[] =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name.replaceAll(/[A-Z]|(?<=[A-Za-z]{2})\d+/g, (part) => `_${part.toLowerCase()}`),
        value,
      ]),
    ),
  )
