import { OWN_TABLE, type OwnGroup } from '../../analytics/own-api.ts'
import { quoted } from '../../analytics/sql.ts'
import { groupBy } from '../../domain/group-by.ts'
import { ratioOfGroups } from '../../domain/statistics.ts'

const MAX_GROUPS = 12

type Row = Record<string, unknown>

/**
 * Sums by group and meeting of the slice's starters that are in the user's file: fifths of a
 * number, otherwise each value; those without a value are a group of their own.
 */
export const breakdownSql = (
  column: string,
  isNumber: boolean,
  { from, condition }: { from: string; condition: string },
): string => `WITH joined AS (
    SELECT s.*, o.cell FROM (SELECT * FROM ${from} WHERE ${condition}) s
    JOIN (SELECT race_key, horse_no, ${quoted(column)} AS cell FROM ${OWN_TABLE}) o
      ON o.race_key = s.race_key AND o.horse_no = s.horse_no
  ), grouped AS (
    SELECT *, ${isNumber ? 'CASE WHEN cell IS NOT NULL THEN least(4, floor(5 * percent_rank() OVER (PARTITION BY cell IS NULL ORDER BY cell)))::INTEGER END' : 'cell'}::VARCHAR AS part FROM joined
  )
  SELECT part, meeting_key, count(*)::DOUBLE AS starters, sum(won)::DOUBLE AS winners,
    ${isNumber ? 'min(cell)' : 'NULL'}::DOUBLE AS low, ${isNumber ? 'max(cell)' : 'NULL'}::DOUBLE AS high,
    sum(market_probability)::DOUBLE AS expected,
    count(*) FILTER (WHERE market_probability IS NULL)::DOUBLE AS unpriced,
    coalesce(sum(profit_cents) FILTER (WHERE outcome <> 'void'), 0)::DOUBLE AS profit,
    1000 * count(profit_cents) FILTER (WHERE outcome <> 'void')::DOUBLE AS staked
  FROM grouped GROUP BY part, meeting_key`

/** Groups from their sums by meeting: a number's ordered by size, others by frequency; the one without a value is last. */
export function groupsOf(rows: readonly Row[], isNumber: boolean): OwnGroup[] {
  const groups = [...groupBy(rows, (row) => row['part'] as string | null)].map(([part, own]) =>
    groupOf(part, own),
  )
  const valued = groups.filter(({ label }) => label !== null)
  const shown = isNumber
    ? valued.toSorted((a, b) => a.from! - b.from!)
    : valued.toSorted((a, b) => b.starters - a.starters).slice(0, MAX_GROUPS)
  return [...shown, ...groups.filter(({ label }) => label === null)]
}

function groupOf(label: string | null, rows: readonly Row[]): OwnGroup {
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
