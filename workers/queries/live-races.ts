import type { QueryBuilder } from './query.ts'

/** Of which races did news come after the files were built, and what? */
export const liveRaces: QueryBuilder<'live_races'> = () => ({
  source: 'cube',
  sql: `SELECT race_id, strftime(max(told_at), '%Y-%m-%dT%H:%M:%SZ') AS "at",
      count(*) FILTER (WHERE kind = 'odds')::INTEGER AS odds, count(*) FILTER (WHERE kind = 'tip')::INTEGER AS tips,
      string_agg(horse_no::VARCHAR, '-' ORDER BY place, horse_no) FILTER (WHERE kind = 'result' AND place <= 4) AS result
    FROM (
      SELECT 'odds' AS kind, race_id, told_at, horse_no, NULL AS place FROM live_odds
      UNION ALL SELECT 'tip', race_id, told_at, horse_no, NULL FROM live_tip
      UNION ALL SELECT 'result', race_id, told_at, horse_no, place FROM live_result
    ) GROUP BY race_id ORDER BY "at" DESC, race_id LIMIT 50`,
})
