import type { Origin } from '../../../contract/record-vocabulary.ts'
import { joinOrigin } from './lock-store.ts'
import { allValues, firstValue, type Queries } from '../../db/database.ts'

export interface HitCount {
  origin: Origin
  hits: number
  misses: number
}

/** Days from `from` to `to` (both included, `yyyy-mm-dd`), of one region or, with `null`, of all. */
interface Span {
  from: string
  to: string
  regionId: string | null
}

/** Arbitrary key that no other advisory lock uses. */
const TOTALS_LOCK = 7_312_034

/** A day of a region. */
interface RegionDay {
  regionId: string
  day: string
}

/** The days of these races. */
export const daysOf = ({ rows }: Queries, raceIds: readonly string[]): Promise<RegionDay[]> =>
  rows('select distinct region_id, race_date as day from race where id = any($1::text[])', [raceIds])

/**
 * Recomputes the daily totals for the days of these races: the number of predictions of each race's headline
 * model, and the hits and misses of the selected ones.
 */
export const refreshDailyTotals = async (queries: Queries, raceIds: readonly string[]): Promise<void> =>
  refreshTotalsOf(queries, await daysOf(queries, raceIds))

/** Like `refreshDailyTotals`, for days of which races may have been deleted. */
export async function refreshTotalsOf({ rows }: Queries, days: readonly RegionDay[]): Promise<void> {
  // Concurrent transactions would each count without the other's uncommitted changes.
  await rows('select pg_advisory_xact_lock($1)', [TOTALS_LOCK])
  const keys = [days.map(({ regionId }) => regionId), days.map(({ day }) => day)]
  await rows(
    `delete from daily_hits h using unnest($1::text[], $2::date[]) as d (region_id, race_date)
     where h.region_id = d.region_id and h.race_date = d.race_date`,
    keys,
  )
  await rows(
    `insert into daily_hits (region_id, race_date, gameplay_class, origin, hits, misses)
     select race.region_id, race.race_date, p.gameplay_class, coalesce(origin_of.origin, 'backtest'),
       count(*) filter (where outcome = 'hit'), count(*) filter (where outcome = 'miss')
     from unnest($1::text[], $2::date[]) as d (region_id, race_date)
     join race on race.region_id = d.region_id and race.race_date = d.race_date and race.status = 'final'
     join prediction p on p.race_id = race.id and p.model_id = race.headline_model and p.selected
     join settlement s on s.race_id = p.race_id and s.model_id = p.model_id
       and s.gameplay_class = p.gameplay_class and s.rank = p.rank
     ${joinOrigin('p.race_id', 'p.model_id')}
     group by 1, 2, 3, 4`,
    keys,
  )
  await rows(
    `insert into daily_predictions (region_id, race_date, predictions)
     select d.region_id, d.race_date, coalesce((
         select sum((select count(*) from prediction p
           where p.race_id = race.id and p.model_id = race.headline_model))
         from race where race.region_id = d.region_id and race.race_date = d.race_date), 0)::int
     from unnest($1::text[], $2::date[]) as d (region_id, race_date)
     on conflict (region_id, race_date) do update set predictions = excluded.predictions`,
    keys,
  )
}

/** Number of predictions by headline models for races up to a day, of one region or, with `null`, of all. */
export async function countPredictions(
  queries: Queries,
  today: string,
  regionId: string | null,
): Promise<number> {
  const count = await firstValue<number>(
    queries,
    `select coalesce(sum(predictions), 0)::int from daily_predictions
     where race_date <= $1::date and ($2::text is null or region_id = $2)`,
    [today, regionId],
  )
  return count!
}

/**
 * Hits and misses of selected predictions over a range of days, of one region or all. Counts predictions
 * locked before post time or, if there are none, backtests: the two are never combined, and changed
 * predictions are excluded.
 */
export async function countHits(
  { rows }: Queries,
  span: Span & { gameplayClass: number },
): Promise<HitCount> {
  const counts = await rows<HitCount>(
    `select origin, sum(hits)::int as hits, sum(misses)::int as misses from daily_hits
     where race_date between $1::date and $2::date and gameplay_class = $4
       and ($3::text is null or region_id = $3) group by origin`,
    [span.from, span.to, span.regionId, span.gameplayClass],
  )
  const of = (origin: Origin): HitCount | undefined => counts.find((row) => row.origin === origin)
  return of('locked') ?? of('backtest') ?? { origin: 'backtest', hits: 0, misses: 0 }
}

/** Headline models of the finished races of a range: those whose selections `countHits` counts. */
export const firstModels = (queries: Queries, { from, to, regionId }: Span): Promise<string[]> =>
  allValues(
    queries,
    `select distinct headline_model as id from race
     where race_date between $1::date and $2::date and status = 'final' and ($3::text is null or region_id = $3)
     order by id`,
    [from, to, regionId],
  )
