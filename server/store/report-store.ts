import type { Queries } from './database.ts'

export interface CourseRunRow {
  horseId: string
  raceId: string
  date: string
  place: string | null
  starters: number
  odds: number | null
  finishTimeMs: number | null
  actualWeight: number | null
}

/** Earlier runs of a race's horses over its course and distance, newest first, `most` for each horse. */
export async function listCourseRuns(
  { rows }: Queries,
  raceId: string,
  most: number,
): Promise<CourseRunRow[]> {
  return rows(
    `select * from (
       select earlier.horse_id as "horseId", run.id as "raceId", run.race_date as "date",
         coalesce(earlier.place::text, earlier.place_code) as place, run.declared_starters as starters,
         earlier.win_odds as odds, earlier.finish_time_ms as "finishTimeMs", earlier.actual_weight_lb as "actualWeight",
         row_number() over (partition by earlier.horse_id order by run.race_date desc, run.id desc)::int as number
       from race join runner on runner.race_id = race.id
       join runner as earlier on earlier.horse_id = runner.horse_id
       join race as run on run.id = earlier.race_id and run.race_date < race.race_date and run.status = 'final'
         and run.stadium_id = race.stadium_id and run.distance_m = race.distance_m and run.track is not distinct from race.track
       where race.id = $1
     ) as runs where number <= $2 order by "horseId", "date" desc`,
    [raceId, most],
  )
}

export interface SelectedRow {
  gameplayClass: number
  combination: string
  probability: number
  odds: number | null
  oddsPaid: boolean
  outcome: 'hit' | 'miss' | 'void' | null
  profitCents: number | null
}

/** A model's choice of each bet type of a race, settled when its result is known. */
export async function listSelected({ rows }: Queries, model: string, raceId: string): Promise<SelectedRow[]> {
  return rows(
    `select p.gameplay_class as "gameplayClass", p.combination, p.probability,
       coalesce(s.paid_odds, p.odds_seen) as odds, s.paid_odds is not null as "oddsPaid", s.outcome,
       s.profit_cents as "profitCents"
     from prediction p left join settlement s on s.race_id = p.race_id and s.model_id = p.model_id
       and s.gameplay_class = p.gameplay_class and s.rank = p.rank
     where p.race_id = $1 and p.model_id = $2 and p.selected order by p.gameplay_class`,
    [raceId, model],
  )
}

/** Published dividends of the nine bet types of a race. */
export async function listDividends(
  { rows }: Queries,
  raceId: string,
): Promise<{ gameplayClass: number; combination: string; dividendCents: number | null }[]> {
  return rows(
    `select gameplay_class as "gameplayClass", combination, dividend_cents as "dividendCents" from dividend
     where race_id = $1 and gameplay_class is not null order by gameplay_class, combination`,
    [raceId],
  )
}
