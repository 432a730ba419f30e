import type { Queries } from '../../db/database.ts'

/**
 * SQL of a WITH clause: `bearer_period` has who bore a brand from which day on, and until which. A form record names its horse
 * only by brand, and a brand is reused after about 20 years: a record belongs to the bearer whose first run in the results is
 * the latest before that day, or to the first bearer. This depends only on results, so a profile that is imported later
 * changes nothing. `horses`: which horses `h`.
 */
export const bearerPeriods = (horses: string): string => `bearer as (
    select h.region_id, h.brand, h.id, min(race.race_date) as first_run
    from horse h join runner on runner.horse_id = h.id join race on race.id = runner.race_id
    where ${horses} and race.status = 'final' group by h.region_id, h.brand, h.id
  ), bearer_period as (
    select region_id, brand, id,
      case when row_number() over career = 1 then date '0001-01-01' else first_run end as from_day,
      coalesce(lead(first_run) over career, date '9999-12-31') as to_day
    from bearer window career as (partition by region_id, brand order by first_run, id)
  )`

/** SQL: the form records `f` with the horse of each: that of a brand without results is its first bearer. */
export const FORM_OF_BEARERS = `form_line f left join bearer_period on bearer_period.region_id = f.region_id
    and bearer_period.brand = f.brand and f.race_date >= from_day and f.race_date < to_day`

/** SQL: the horse of a form record in `FORM_OF_BEARERS`; `code`: of the region. */
export const bearerOf = (code: string): string => `coalesce(bearer_period.id, ${code} || '-' || f.brand)`

/** The first and last race day of a region in a quarter of a year. */
export interface FormPeriod {
  regionId: string
  from: string
  to: string
}

/** The periods for which `joinForm` is to be called. */
export const formPeriods = ({ rows }: Queries, regionId: string): Promise<FormPeriod[]> =>
  rows(
    `select region_id, min(race_date) as from, max(race_date) as to from race
     where region_id = $1 group by region_id, date_trunc('quarter', race_date) order by 2`,
    [regionId],
  )

/**
 * Fills in what the results of a period omit from the horses' own form records: rating, gear, class and distance.
 * Returns the ids of the races that changed.
 */
export async function joinForm({ rows }: Queries, { regionId, from, to }: FormPeriod): Promise<Set<string>> {
  // First the distances of races: they tell a horse's line of a race from one of another that it was withdrawn from on that day.
  const races = await rows<{ id: string }>(
    `update race set distance_m = coalesce(race.distance_m, f.distance_m),
       race_class = coalesce(race.race_class, f.race_class)
     from (
       select r.race_id, mode() within group (order by f.distance_m) as distance_m,
         mode() within group (order by f.race_class) as race_class
       from race join runner r on r.race_id = race.id join horse h on h.id = r.horse_id
       join form_line f on f.region_id = h.region_id and f.brand = h.brand and f.race_date = race.race_date
         and f.stadium_id = race.stadium_id
       where race.region_id = $1 and race.race_date between $2::date and $3::date and (race.distance_m is null or race.race_class is null)
       group by r.race_id
     ) f
     where f.race_id = race.id and (race.distance_m, race.race_class) is distinct from
       (coalesce(race.distance_m, f.distance_m), coalesce(race.race_class, f.race_class))
     returning race.id`,
    [regionId, from, to],
  )
  const runners = await rows<{ id: string }>(
    `update runner r set rating = f.rating, gear = f.gear
     from form_line f
     join horse h on h.region_id = f.region_id and h.brand = f.brand
     join race on race.region_id = f.region_id and race.race_date = f.race_date and race.stadium_id = f.stadium_id
     where f.region_id = $1 and f.race_date between $2::date and $3::date and r.race_id = race.id and r.horse_id = h.id
       and f.distance_m = coalesce(race.distance_m, f.distance_m)
       and (r.rating, r.gear) is distinct from (f.rating, f.gear)
     returning r.race_id as id`,
    [regionId, from, to],
  )
  return new Set([...runners, ...races].map(({ id }) => id))
}
