import type { QueryBuilder } from './query.ts'

/** Which stadiums are there? */
export const stadiums: QueryBuilder<'stadiums'> = () => ({
  source: 'cube',
  sql: `SELECT stadium_key::INTEGER AS stadium_key, name_en, name_hant, name_hans, races
    FROM (SELECT stadium_key, count(*)::INTEGER AS races FROM race WHERE status = 'final' GROUP BY stadium_key)
    JOIN stadium USING (stadium_key) ORDER BY stadium_key`,
})

/** Which tracks, goings and distances are there to filter by? */
export const facets: QueryBuilder<'facets'> = () => ({
  source: 'cube',
  sql: `${['track', 'going', 'distance_m']
    .map(
      (
        column,
      ) => `SELECT '${column.replace('_m', '')}' AS facet, ${column}::VARCHAR AS value, count(*)::INTEGER AS races
        FROM race WHERE status = 'final' AND ${column} IS NOT NULL GROUP BY ${column}`,
    )
    .join(' UNION ALL ')} ORDER BY facet, races DESC, value`,
})

/** Which predictions are there of each model: locked before the off, backtests, or changed? Of all ten of a race. */
export const origins: QueryBuilder<'origins'> = (_, access) => ({
  source: 'cube',
  sql: `SELECT model_key::INTEGER AS model_key, model_id, origin::VARCHAR AS origin, predictions
    FROM (
      SELECT model_key, origin, sum(predictions)::DOUBLE AS predictions
      FROM ${access.history ? 'accuracy_cube' : 'accuracy_day'} WHERE prediction_type = 0 GROUP BY model_key, origin
    ) JOIN model USING (model_key) ORDER BY model_key, origin`,
})

/** Which models made predictions? */
export const models: QueryBuilder<'models'> = () => ({
  source: 'cube',
  sql: 'SELECT model_key::INTEGER AS model_key, model_id FROM model ORDER BY model_key',
})
