import type { DividendDraft } from '../../drafts/drafts.ts'
import { allValues, type Queries } from '../../db/database.ts'

/**
 * Deletes stored dividend lines, of the given races and pools, that are not in the newest file. Returns the
 * races that had one. Settlement depends on these lines: a corrected line replaces the wrong one, and a pool
 * that pays is no longer refunded.
 */
export const dropLinesNotIn = (queries: Queries, dividends: readonly DividendDraft[]): Promise<string[]> =>
  allValues(
    queries,
    `with line as (
       select * from unnest($1::text[], $2::text[], $3::text[]) as line (race_id, pool, combination))
     delete from dividend d using (select distinct race_id, pool from line) as read
     where d.race_id = read.race_id and d.pool = read.pool and not exists (
       select from line
       where line.race_id = d.race_id and line.pool = d.pool and line.combination = d.combination)
     returning d.race_id`,
    [
      dividends.map(({ raceId }) => raceId),
      dividends.map(({ pool }) => pool),
      dividends.map(({ combination }) => combination),
    ],
  )
