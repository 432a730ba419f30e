import { bearerOf, bearerPeriods, FORM_OF_BEARERS } from './form-store.ts'
import { groupBy } from '../../../domain/group-by.ts'
import type { PastRace, Performance, RaceFacts, Starter } from '../../model/features/history.ts'
import { regionRules } from '../../../domain/region.ts'
import type { Queries } from '../../db/database.ts'

/** A race with its odds, for models that may use them. */
export interface PricedRace extends PastRace {
  places: number
  status: 'scheduled' | 'final' | 'abandoned'
  /** Final decimal odds by saddle number, where known. */
  odds: ReadonlyMap<number, number>
}

const FACTS = `race.id, race_date as date, race.season, race.stadium_id, coalesce(track, '') as track,
  coalesce(course, '') as course, distance_m, coalesce(race_class, '') as race_class,
  coalesce(going, '') as going, places, race.status`

type RaceRow = RaceFacts & Pick<PricedRace, 'places' | 'status'>
type RunnerRow = Starter & Performance & { raceId: string; winOdds: number | null }

const startersOf = ({ rows }: Queries, where: string, values: string[]): Promise<RunnerRow[]> =>
  rows(
    `select race_id, horse_id, horse_no, entry_no, jockey_id,
       trainer_id, draw, actual_weight_lb as weight_lb, declared_weight_lb as body_lb, rating, gear,
       place, finish_time_ms as time_ms, running_position as calls, win_odds
     from runner join race on race.id = runner.race_id
     where ${where} and horse_no is not null and runner.status <> 'withdrawn' order by race_id, horse_no`,
    values,
  )

function join(races: readonly RaceRow[], runners: readonly RunnerRow[]): PricedRace[] {
  const byRace = groupBy(runners, ({ raceId }) => raceId)
  return races.map((race) => {
    const field = byRace.get(race.id) ?? []
    return {
      ...race,
      whole: true,
      starters: field.map(({ raceId: _race, winOdds: _odds, ...starter }) => starter),
      odds: new Map(field.flatMap(({ horseNo, winOdds }) => (winOdds === null ? [] : [[horseNo, winOdds]]))),
    }
  })
}

/** A region's races with official results, from the day after `after` up to and including `to`. */
export async function readResults(
  database: Queries,
  regionId: string,
  after: string,
  to: string,
): Promise<PricedRace[]> {
  const where = `race.region_id = $1 and race.status = 'final' and race_date > $2::date and race_date <= $3::date`
  const values = [regionId, after, to]
  const races = await database.rows<RaceRow>(`select ${FACTS} from race where ${where} order by id`, values)
  return join(races, await startersOf(database, where, values))
}

/** The races with these ids, of any status, ordered by id. */
export async function readRaces(database: Queries, ids: readonly string[]): Promise<PricedRace[]> {
  const where = `race.id in (select jsonb_array_elements_text($1::jsonb))`
  const values = [JSON.stringify(ids)]
  const races = await database.rows<RaceRow>(`select ${FACTS} from race where ${where} order by id`, values)
  return join(races, await startersOf(database, where, values))
}

/** Codes of `form_line` for a horse that did not start. */
const NOT_STARTED = ['WV', 'WV-A', 'WX', 'WX-A', 'WXNR']

/**
 * Runs found only in the horses' own form records over the same span: races before the first results, or
 * missing from them. They are grouped into races of the horses that have a record.
 */
export async function readFormOnly(
  { rows }: Queries,
  regionId: string,
  after: string,
  to: string,
): Promise<PastRace[]> {
  const { code, seasonStartMonth } = regionRules(regionId)
  const lines = await rows<
    Omit<RaceFacts, 'id' | 'season'> &
      Omit<Starter, 'horseNo' | 'entryNo' | 'jockeyId' | 'trainerId'> &
      Omit<Performance, 'place'> & { raceIndex: number; season: number; placeCode: string | null }
  >(
    `with ${bearerPeriods('h.region_id = $1')}, f as (
       select f.*, ${bearerOf('$6')} as horse_id from ${FORM_OF_BEARERS}
       where f.region_id = $1 and race_date > $2::date and race_date <= $3::date
     )
     select f.race_date as date, f.race_index, f.horse_id, f.stadium_id,
       (extract(year from f.race_date) - case when extract(month from f.race_date) < $4 then 1 else 0 end)::int as season,
       coalesce(f.track, '') as track, coalesce(f.course, '') as course, f.distance_m,
       coalesce(f.race_class, '') as race_class, coalesce(f.going, '') as going, f.draw,
       f.actual_weight_lb as weight_lb, f.declared_weight_lb as body_lb, f.rating, f.gear,
       f.finish_time_ms as time_ms, f.running_position as calls, f.place_code
     from f
     where f.stadium_id is not null and coalesce(f.place_code, '') <> all ($5::text[])
       and not exists (select 1 from runner join race on race.id = runner.race_id
         where runner.horse_id = f.horse_id and race.race_date = f.race_date)
     order by f.race_date, f.race_index, f.horse_id`,
    [regionId, after, to, seasonStartMonth, NOT_STARTED, code],
  )
  const byRace = groupBy(lines, ({ date, raceIndex }) => `form ${date} ${raceIndex}`)
  return [...byRace].map(([id, runs]) => {
    const [{ date, season, stadiumId, track, course, distanceM, raceClass, going }] = runs as [
      (typeof runs)[number],
    ]
    return {
      id,
      date,
      season,
      stadiumId,
      track,
      course,
      distanceM,
      raceClass,
      going,
      whole: false,
      starters: runs.map(({ horseId, draw, weightLb, bodyLb, rating, gear, timeMs, calls, placeCode }) => ({
        horseId,
        horseNo: 0,
        entryNo: null,
        jockeyId: null,
        trainerId: null,
        draw,
        weightLb,
        bodyLb,
        rating,
        gear,
        timeMs,
        calls,
        place: /^\d+/.test(placeCode ?? '') ? Number.parseInt(placeCode!, 10) : null,
      })),
    }
  })
}

/** First and last year for which a region has races or form records. */
export async function yearsOfHistory(
  { rows }: Queries,
  regionId: string,
): Promise<{ first: number; last: number }> {
  const [row] = await rows<{ first: number; last: number }>(
    `select coalesce(min(extract(year from day)), 1)::int as first, coalesce(max(extract(year from day)), 0)::int as last
     from (
       select race_date as day from race where region_id = $1
       union all select min(race_date) from form_line where region_id = $1
     ) as days`,
    [regionId],
  )
  return row!
}

/** Whether a horse is a later bearer of a reused brand, such as `HK-A123-2`. */
export const isLaterBearer = (horseId: string): boolean => /-\d+$/.test(horseId)

/** The first day on which each region's form records mention one of these brands. */
export const firstFormOf = (
  { rows }: Queries,
  brands: ReadonlySet<string>,
): Promise<{ regionId: string; day: string }[]> =>
  rows(
    `select region_id, min(race_date) as day from form_line
     where brand = any($1::text[]) group by region_id`,
    [[...brands]],
  )
