import { where } from '../sql/literal.ts'
import { dayConditions, raceConditions } from '../sql/record-source.ts'
import type { RecordFilter } from '../../contract/queries.ts'
import type { QueryBuilder } from './query.ts'

/** Races of a filter, whatever the bet type, type, model and origin. */
const racesOf = (filter: RecordFilter): string => {
  const conditions = [...dayConditions(filter, 'race'), ...raceConditions(filter)]
  return `SELECT race_key FROM race ${where(conditions)}`
}

/** What was locked, the last entry of each race and model? Without the history, of those that may be looked at. */
export const locks: QueryBuilder<'locks'> = ({ filter }, access) => ({
  source: 'rows',
  sql: `SELECT race_id, model_id, number, sha256, locked_at, chain
    FROM (
      SELECT *, row_number() OVER (PARTITION BY race_key, model_key ORDER BY number DESC) AS newest
      FROM prediction_lock WHERE race_key IN (${racesOf(filter)})
        ${access.history ? '' : 'AND (race_key, model_key) IN (SELECT race_key, model_key FROM win_chance)'}
    ) WHERE newest = 1 ORDER BY race_id, model_id`,
})

/** What do the files say of the races that were locked? A line a starter and a prediction. */
export const lockedLines: QueryBuilder<'locked_lines'> = ({ filter }) => ({
  source: 'rows',
  sql: `WITH locked AS (
      SELECT DISTINCT race_key, model_key, race_id, model_id FROM prediction_lock
      WHERE race_key IN (${racesOf(filter)})
    )
    SELECT race_id, model_id, 0 AS gameplay_class, horse_no::INTEGER AS rank, '' AS combination,
      probability::DOUBLE AS probability, false AS selected, false AS cautious, false AS upset_guard
    FROM locked JOIN win_chance USING (race_key, model_key)
    UNION ALL
    SELECT race_id, model_id, gameplay_class::INTEGER, p.rank::INTEGER,
      concat_ws('-', horse_no_1, horse_no_2, horse_no_3, horse_no_4), p.probability::DOUBLE, selected, cautious, upset_guard
    FROM locked JOIN prediction p USING (race_key, model_key)
    ORDER BY race_id, model_id, gameplay_class, rank`,
})
