import { where } from '../sql/literal.ts'
import { sumsOf, totalsSource } from '../sql/record-source.ts'
import type { QueryBuilder } from './query.ts'

/** How did each race day go, and where does the profit stand after it? */
export const recordDays: QueryBuilder<'record_days'> = ({ filter }, access) => {
  const source = totalsSource(filter, access)
  return {
    source: source.kind,
    sql: `SELECT *, sum(profit_cents) OVER (ORDER BY day)::DOUBLE AS profit_to_date_cents
      FROM (
        SELECT strftime(p.race_date, '%Y-%m-%d') AS day, ${sumsOf(source)}
        FROM ${source.from} ${where(source.conditions)}
        GROUP BY p.race_date
      )
      ORDER BY day`,
  }
}
