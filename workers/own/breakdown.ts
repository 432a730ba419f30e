import { OWN_TABLE, type OwnGroup } from '../../analytics/own-api.ts'
import { groupBy } from '../../domain/group-by.ts'
import { ratioOfGroups } from '../../domain/statistics.ts'
import { quoted } from './typed-sql.ts'

const MAX_GROUPS = 12

type Row = Record<string, unknown>

/**
 * Sums by group and meeting of the slice's starters that are in the user's file: fifths of a
 * number, otherwise each value.
 */
export const breakdownSql = (
  column: string,
  isNumber: boolean,
  { from, condition }: { from: string; condition: string },
): string => `WITH joined AS (
    SELECT s.*, o.cell FROM (SELECT * FROM ${from} WHERE ${condition}) s
    JOIN (SELECT race_key, horse_no, ${quoted(column)} AS cell FROM ${OWN_TABLE}) o
      ON o.race_key = s.race_key AND o.horse_no = s.horse_no WHERE o.cell IS NOT NULL
  ), grouped AS (
    SELECT *, ${isNumber ? 'least(4, floor(5 * percent_rank() OVER (ORDER BY cell)))::INTEGER' : 'cell'}::VARCHAR AS part FROM joined
  )
  SELECT part, meeting_key, count(*)::DOUBLE AS starters, sum(won)::DOUBLE AS winners,
    ${isNumber ? 'min(cell)' : 'NULL'}::DOUBLE AS low, ${isNumber ? 'max(cell)' : 'NULL'}::DOUBLE AS high,
    sum(market_probability)::DOUBLE AS expected,
    count(*) FILTER (WHERE market_probability IS NULL)::DOUBLE AS unpriced,
    coalesce(sum(profit_cents) FILTER (WHERE outcome <> 'void'), 0)::DOUBLE AS profit,
    1000 * count(profit_cents) FILTER (WHERE outcome <> 'void')::DOUBLE AS staked
  FROM grouped GROUP BY part, meeting_key`

/** Groups from their sums by meeting: a number's ordered by size, others by frequency. */
export function groupsOf(rows: readonly Row[], isNumber: boolean): OwnGroup[] {
  const groups = [...groupBy(rows, (row) => String(row['part']))].map(([part, own]) => groupOf(part, own))
  return isNumber
    ? groups.toSorted((a, b) => a.from! - b.from!)
    : groups.toSorted((a, b) => b.starters - a.starters).slice(0, MAX_GROUPS)
}

function groupOf(label: string, rows: readonly Row[]): OwnGroup {
  const total = (name: string): number => rows.reduce((sum, row) => sum + Number(row[name]), 0)
  const staked = rows.flatMap((row) =>
    Number(row['staked']) > 0
      ? [{ numerator: Number(row['profit']), denominator: Number(row['staked']) }]
      : [],
  )
  const isNumber = rows[0]!['low'] !== null
  return {
    label,
    from: isNumber ? Math.min(...rows.map((row) => Number(row['low']))) : null,
    to: isNumber ? Math.max(...rows.map((row) => Number(row['high']))) : null,
    starters: total('starters'),
    winners: total('winners'),
    expectedMarket: total('unpriced') > 0 ? null : total('expected'),
    return: staked.length === 0 ? null : ratioOfGroups(staked),
  }
}
