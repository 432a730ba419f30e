import { where } from '../sql/literal.ts'
import { sumsOf, totalsSource } from '../sql/record-source.ts'
import type { QueryBuilder } from './query.ts'

/** How did the predictions that a filter chooses do, all together? */
export const recordTotals: QueryBuilder<'record_totals'> = ({ filter }, access) => {
  const source = totalsSource(filter, access)
  return {
    source: source.kind,
    sql: `SELECT ${sumsOf(source)}, min(p.race_date)::VARCHAR AS first_day, max(p.race_date)::VARCHAR AS last_day
      FROM ${source.from} ${where(source.conditions)}`,
  }
}
