import type { OddsTickDraft } from '../../drafts/drafts.ts'
import { bulkUpsert, type WriteCount } from '../../db/bulk-upsert.ts'
import type { Queries } from '../../db/database.ts'
import { ODDS_TICK } from './racing-tables.ts'
import { noteRaceEvents } from '../operation/site-store.ts'
import { notePriceAlerts } from '../operation/alert-events.ts'

/**
 * Stores changing odds of upcoming races: the newest odds become the runners' odds, and the affected races
 * are marked for scoring.
 */
export async function writeLiveOdds(
  database: Queries,
  ticks: readonly OddsTickDraft[],
  now: Date,
): Promise<WriteCount> {
  const moved = new Set<string>()
  const written = await bulkUpsert(database, ODDS_TICK, ticks, moved)
  if (moved.size === 0) return written
  const changed = await database.rows<{ id: string }>(
    `update runner set win_odds = tick.odds
     from (select distinct on (race_id, horse_no) race_id, horse_no, odds from odds_tick
           join unnest($1::text[], $2::smallint[]) as told (race_id, horse_no) using (race_id, horse_no)
           order by race_id, horse_no, seen_at desc) tick
     where runner.race_id = tick.race_id and runner.horse_no = tick.horse_no and runner.status = 'declared'
       and runner.win_odds is distinct from tick.odds
     returning runner.race_id as id`,
    [ticks.map(({ raceId }) => raceId), ticks.map(({ horseNo }) => horseNo)],
  )
  await database.rows(`update race set scoring = 'stale' where id = any($1::text[])`, [
    [...new Set(changed.map(({ id }) => id))],
  ])
  await noteRaceEvents(database, 'odds', [...moved], now)
  await notePriceAlerts(database, [...moved], now)
  return written
}
