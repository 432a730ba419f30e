import type { OddsPoint as OddsTick } from '../../../contract/api/racing.ts'
import type { Language } from '../../../domain/languages.ts'
import { EARLY_MIN, LATE_MIN } from '../../../domain/odds-replay.ts'
import type { OddsTickDraft } from '../../drafts/drafts.ts'
import { bulkUpsert, type WriteCount } from '../../db/bulk-upsert.ts'
import type { Queries } from '../../db/database.ts'
import { ODDS_TICK } from './racing-tables.ts'
import { noteRaceEvents } from '../operation/site-store.ts'
import { notePriceAlerts } from '../operation/alert-events.ts'
import { nameIn, nameLanguageIn } from './schedule.ts'

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

/**
 * Win odds over time, up to `now`, of every horse of a race: at most one per minute in the last hour before
 * post time, one per five minutes in the last day, and one per hour earlier. The first and the last odds of
 * each horse are included.
 */
export const readMarket = ({ rows }: Queries, raceId: string, now: Date): Promise<OddsTick[]> =>
  rows(
    `with seen as (
       select t.horse_no, t.seen_at, t.odds, case
           when r.starts_at is null or t.seen_at > r.starts_at - interval '1 hour' then 60
           when t.seen_at > r.starts_at - interval '1 day' then 300 else 3600 end as step,
         row_number() over (partition by t.horse_no order by t.seen_at) as nth
       from odds_tick t join race r on r.id = t.race_id where t.race_id = $1 and t.seen_at <= $2
     ), thinned as (
       select distinct on (horse_no, nth = 1, step, floor(extract(epoch from seen_at) / step)) seen_at, odds, horse_no
       from seen order by horse_no, nth = 1, step, floor(extract(epoch from seen_at) / step), seen_at desc
     )
     select seen_at as create_time, odds, horse_no as horse_number from thinned order by seen_at, horse_no`,
    [raceId, now],
  )

/** SQL for the number by which the odds of a runner are recorded: a coupled entry has one number for all its horses. */
const BET_NUMBER = 'coalesce(runner.entry_no, runner.horse_no)'

/** SQL for a runner's first recorded win odds, up to the instant of the parameter `now`. */
const firstOdds = (now: string): string =>
  `(select tick.odds from odds_tick tick where tick.race_id = runner.race_id and tick.horse_no = ${BET_NUMBER}
    and tick.seen_at <= ${now} order by tick.seen_at limit 1)`

/**
 * SQL for a runner's win odds so many minutes before post time: the last recorded at or before then; `null` until the
 * instant of the parameter `now` has passed it, without a post time, and before the first ones.
 */
export const oddsBefore = (minutes: number, now: string): string =>
  `(select tick.odds from odds_tick tick where tick.race_id = runner.race_id and tick.horse_no = ${BET_NUMBER}
    and race.starts_at - interval '${minutes} minutes' <= ${now}
    and tick.seen_at <= race.starts_at - interval '${minutes} minutes' order by tick.seen_at desc limit 1)`

/** A race of a day; `runners`: JSON of those that are not withdrawn, which the caller must filter through the gate. */
export interface DayMarketRow {
  raceId: string
  runners: string
}

/** Races of a day at most: those of the schedule of a week. */
const MAX_RACES = 200

/** The win market of all races of a region's day at the moments that are customarily compared, in the schedule's order. */
export const readDayMarket = (
  { rows }: Queries,
  regionId: string,
  day: string,
  language: Language,
  now: Date,
): Promise<DayMarketRow[]> =>
  rows(
    `select race.id as race_id, coalesce((select json_agg(json_build_object(
         'horseId', horse.id, 'horseNumber', runner.horse_no, 'entryNumber', runner.entry_no,
         'name', coalesce(${nameIn(language, 'horse')}, horse.brand, ''), 'nameLanguage', ${nameLanguageIn(language, 'horse')},
         'odds', runner.win_odds, 'openingOdds', ${firstOdds('$3')},
         'thirtyMinuteOdds', ${oddsBefore(EARLY_MIN, '$3')}, 'tenMinuteOdds', ${oddsBefore(LATE_MIN, '$3')},
         'ranking', coalesce(runner.place::text, runner.place_code, ''))
         order by runner.horse_no nulls last, horse.id)
       from runner join horse on horse.id = runner.horse_id
       where runner.race_id = race.id and runner.status <> 'withdrawn')::text, '[]') as runners
     from race where race.region_id = $1 and race_date = $2::date
     order by stadium_id, race_no limit ${MAX_RACES}`,
    [regionId, day, now],
  )
