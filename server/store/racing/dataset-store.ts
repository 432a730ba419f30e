import type { DatasetRegion } from '../../../contract/dataset.ts'
import { FIRST_HEADLINE } from '../../../contract/model-ids.ts'
import type { Parameter, Queries } from '../../db/database.ts'
import { readSetting } from '../../db/settings.ts'
import { parseReasons } from './report-store.ts'

export interface PartitionRevision {
  regionId: string
  season: number
  revision: number
}

/**
 * Reads the source rows of dataset files. Every list is totally ordered, so that equal rows give an identical
 * file.
 */
export const readRegions = ({ rows }: Queries): Promise<DatasetRegion[]> =>
  rows(
    `select id, code, name_en, name_hant, name_hans,
       time_zone, currency, season_start_month,
       coalesce((select model_id from model_promotion where region_id = region.id order by number desc limit 1),
         '${FIRST_HEADLINE}') as headline
     from region where exists (select 1 from race where race.region_id = region.id) order by id`,
  )

export const readRevisions = ({ rows }: Queries): Promise<PartitionRevision[]> =>
  rows(
    `select p.region_id, p.season, p.revision from partition_revision p
     where p.season = 0 and exists (select 1 from race where race.region_id = p.region_id)
       or exists (select 1 from race where race.region_id = p.region_id and race.season = p.season)
     order by p.region_id, p.season`,
  )

/** Identifies this database: revision numbers are only comparable within one database. */
export const readIdentity = async (queries: Queries): Promise<string> =>
  (await readSetting(queries, 'identity'))!

/** A row by camel-cased column name, as the database returns it. */
export type NamedRow = Readonly<Record<string, string | number | boolean | null>>

export interface ReferenceRows {
  stadiums: NamedRow[]
  horses: NamedRow[]
  jockeys: NamedRow[]
  trainers: NamedRow[]
}

export async function readReference({ rows }: Queries, regionId: string): Promise<ReferenceRows> {
  const list = (sql: string): Promise<NamedRow[]> => rows<NamedRow>(sql, [regionId])
  const names = 'name_en, name_hant, name_hans'
  return {
    stadiums: await list(
      `select key as stadium_key, id as stadium_id, region_id, ${names} from stadium where region_id = $1 order by key`,
    ),
    horses: await list(
      `select key as horse_key, id as horse_id, region_id, brand, ${names}, sire, dam_sire, origin as country
         from horse where region_id = $1 order by key`,
    ),
    jockeys: await list(
      `select key as jockey_key, id as jockey_id, ${names} from jockey where region_id = $1 order by key`,
    ),
    trainers: await list(
      `select key as trainer_key, id as trainer_id, ${names} from trainer where region_id = $1 order by key`,
    ),
  }
}

export interface SeasonRows {
  races: NamedRow[]
  /** Days with finished races, in order. */
  finalDays: string[]
  runners: NamedRow[]
  dividends: NamedRow[]
  oddsTicks: NamedRow[]
  locks: NamedRow[]
  reasons: NamedRow[]
}

export const STARTERS = `(select count(*) from runner where runner.race_id = race.id and runner.horse_no is not null
  and runner.status <> 'withdrawn')`

/** SQL for the races of region `$1` that match a condition, as rows of the table `race`. */
export const racesSql = (condition: string): string =>
  `select race.key as race_key, race.id as race_id, race_date, stadium.key as stadium_key, race_no, race.name_en,
     race.name_hant, race.name_hans, race_class, track, course, distance_m, going, declared_starters,
     ${STARTERS} as starters, places, winning_time_ms, race.status,
     coalesce((select string_agg(model.id, ' ' order by model.key) from model
       where exists (select 1 from win_chance where race_id = race.id and model_id = model.id)), '') as predicted_by
   from race join stadium on stadium.id = race.stadium_id
   where race.region_id = $1 and ${condition} order by race_date, stadium.key, race_no`

/** SQL for the runners of those races, as rows of the table `runner`. */
export const runnersSql = (condition: string): string =>
  `select race.key as race_key, race_date, horse_no, horse.key as horse_key, jockey.key as jockey_key,
     trainer.key as trainer_key, draw, actual_weight_lb, declared_weight_lb, rating, gear, runner.status, place,
     place_code, dead_heat, margin, running_position, finish_time_ms, win_odds
   from race join runner on runner.race_id = race.id join horse on horse.id = runner.horse_id
   left join jockey on jockey.id = runner.jockey_id left join trainer on trainer.id = runner.trainer_id
   where race.region_id = $1 and ${condition} order by race_date, race.id, horse_no nulls last, horse.key`

/** A season's rows, with odds seen up to `now`. */
export async function readSeason(
  { rows }: Queries,
  regionId: string,
  season: number,
  now: Date,
): Promise<SeasonRows> {
  const list = (sql: string, others: readonly Parameter[] = []): Promise<NamedRow[]> =>
    rows<NamedRow>(sql, [regionId, season, ...others])
  const finals = await rows<{ day: string }>(
    `select distinct race_date as day from race
     where region_id = $1 and season = $2 and status = 'final' order by 1`,
    [regionId, season],
  )
  return {
    finalDays: finals.map(({ day }) => day),
    races: await list(racesSql('season = $2')),
    runners: await list(runnersSql('season = $2')),
    dividends: await list(
      `select race.key as race_key, race_date, gameplay_class as bet_type, combination, dividend.status, dividend_cents
       from race join dividend on dividend.race_id = race.id
       where race.region_id = $1 and season = $2 and gameplay_class is not null
       order by race_date, race.id, gameplay_class, combination`,
    ),
    locks: await list(
      `select l.number, race.key as race_key, race.id as race_id, race.race_date, l.model_id as model, sha256,
         locked_at, chain
       from prediction_lock l join race on race.id = l.race_id
       where race.region_id = $1 and season = $2 and race.status = 'final'
         and exists (select 1 from settlement where settlement.race_id = race.id) order by l.number`,
    ),
    reasons: await readReasons({ rows }, regionId, season),
    oddsTicks: await list(
      `select race.key as race_key, race_date, horse_no, seen_at, odds
       from race join odds_tick on odds_tick.race_id = race.id
       where race.region_id = $1 and season = $2 and race.status = 'final' and seen_at <= $3::timestamptz
       order by race_date, race.id, horse_no, seen_at`,
      [now],
    ),
  }
}

/** Maximum number of reasons per starter in the dataset, largest first. */
const MAX_REASONS = 5

async function readReasons({ rows }: Queries, regionId: string, season: number): Promise<NamedRow[]> {
  const found = await rows<{
    raceKey: number
    raceDate: string
    model: string
    horseNo: number
    reasons: string
  }>(
    `select race.key as race_key, race_date, model_id as model, horse_no, reasons
     from race join win_chance on race_id = race.id join model on model.id = model_id
     where race.region_id = $1 and season = $2 and race.status = 'final' and reasons <> ''
     order by race_date, race.id, model.key, horse_no`,
    [regionId, season],
  )
  return found.flatMap(({ reasons, ...row }) =>
    parseReasons(reasons)
      .slice(0, MAX_REASONS)
      .map(({ feature, value }, index) => ({ ...row, rank: index + 1, feature, logOdds: value })),
  )
}
