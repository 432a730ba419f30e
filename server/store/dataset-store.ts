import type { Row } from '../dataset/duckdb-file.ts'
import type { DatasetRegion } from '../../contract/dataset.ts'
import type { Queries } from './database.ts'
import type { RaceOutcome } from '../../domain/settlement.ts'
import type { Origin } from '../../contract/record-vocabulary.ts'
import { ORIGIN_OF } from './lock-store.ts'
import { DAY_POSITION } from './race-store.ts'
import { parseReasons } from './report-store.ts'
import { readOutcomes } from './outcome-store.ts'

export interface PartitionRevision {
  regionId: string
  season: number
  revision: number
}

/** Reads what dataset files are built from. Every list is in a total order, so the same rows give the same file. */
export async function readRegions({ rows }: Queries): Promise<DatasetRegion[]> {
  return rows(
    `select id, code, name_en as "nameEn", name_hant as "nameHant", name_hans as "nameHans",
       time_zone as "timeZone", currency, season_start_month as "seasonStartMonth"
     from region where exists (select 1 from race where race.region_id = region.id) order by id`,
  )
}

export async function readRevisions({ rows }: Queries): Promise<PartitionRevision[]> {
  return rows(
    `select p.region_id as "regionId", p.season, p.revision from partition_revision p
     where p.season = 0 and exists (select 1 from race where race.region_id = p.region_id)
       or exists (select 1 from race where race.region_id = p.region_id and race.season = p.season)
     order by p.region_id, p.season`,
  )
}

/** Tells one database from another: revisions count within one. */
export async function readIdentity({ rows }: Queries): Promise<string> {
  const [row] = await rows<{ value: string }>(`select value from setting where name = 'identity'`)
  return row!.value
}

export interface ReferenceRows {
  stadiums: Row[]
  horses: Row[]
  jockeys: Row[]
  trainers: Row[]
  models: Row[]
}

export async function readReference({ rows }: Queries, regionId: string): Promise<ReferenceRows> {
  const list = async (sql: string, parameters: string[] = [regionId]): Promise<Row[]> =>
    (await rows<Record<string, string | number | null>>(sql, parameters)).map((row) => Object.values(row))
  const names = 'name_en, name_hant, name_hans'
  return {
    stadiums: await list(
      `select key, id, region_id, ${names} from stadium where region_id = $1 order by key`,
    ),
    horses: await list(
      `select key, id, region_id, brand, ${names} from horse where region_id = $1 order by key`,
    ),
    jockeys: await list(`select key, id, ${names} from jockey where region_id = $1 order by key`),
    trainers: await list(`select key, id, ${names} from trainer where region_id = $1 order by key`),
    models: await list('select key, id from model order by key', []),
  }
}

export interface SeasonRows {
  races: Row[]
  /** Days of the races that were run, in order. */
  finalDays: string[]
  runners: Row[]
  dividends: Row[]
  oddsTicks: Row[]
  locks: Row[]
  reasons: Row[]
}

const STARTERS = `(select count(*) from runner where runner.race_id = race.id and runner.horse_no is not null
  and runner.status <> 'withdrawn')`

/** A season's rows; odds as of `now`. */
export async function readSeason(
  { rows }: Queries,
  regionId: string,
  season: number,
  now: Date,
): Promise<SeasonRows> {
  const list = async (sql: string, more: readonly string[] = []): Promise<Row[]> =>
    (await rows<Record<string, string | number | boolean | null>>(sql, [regionId, season, ...more])).map(
      (row) => Object.values(row),
    )
  const finals = await rows<{ day: string }>(
    `select distinct race_date as day from race
     where region_id = $1 and season = $2 and status = 'final' order by 1`,
    [regionId, season],
  )
  return {
    finalDays: finals.map(({ day }) => day),
    races: await list(
      `select race.key, race.id, race_date, stadium.key as stadium_key, race_no, race.name_en, race.name_hant,
         race.name_hans, race_class, track, course, distance_m, going, declared_starters,
         ${STARTERS} as starters, places, winning_time_ms, race.status
       from race join stadium on stadium.id = race.stadium_id
       where race.region_id = $1 and season = $2 order by race_date, stadium.key, race_no`,
    ),
    runners: await list(
      `select race.key as race_key, race_date, horse_no, horse.key as horse_key, jockey.key as jockey_key,
         trainer.key as trainer_key, draw, actual_weight_lb, declared_weight_lb, rating, gear, runner.status, place,
         place_code, dead_heat, margin, running_position, finish_time_ms, win_odds
       from race join runner on runner.race_id = race.id join horse on horse.id = runner.horse_id
       left join jockey on jockey.id = runner.jockey_id left join trainer on trainer.id = runner.trainer_id
       where race.region_id = $1 and season = $2 order by race_date, race.id, horse_no nulls last, horse.key`,
    ),
    dividends: await list(
      `select race.key as race_key, race_date, gameplay_class, combination, dividend.status, dividend_cents
       from race join dividend on dividend.race_id = race.id
       where race.region_id = $1 and season = $2 and gameplay_class is not null
       order by race_date, race.id, gameplay_class, combination`,
    ),
    locks: await list(
      `select l.number, race.key as race_key, race.id, race.race_date, model.key as model_key, model.id as model_id, sha256,
         locked_at, chain
       from prediction_lock l join race on race.id = l.race_id join model on model.id = l.model_id
       where race.region_id = $1 and season = $2 and race.status = 'final'
         and exists (select 1 from settlement where settlement.race_id = race.id) order by l.number`,
    ),
    reasons: await readReasons({ rows }, regionId, season),
    oddsTicks: await list(
      `select race.key as race_key, horse_no, seen_at, odds
       from race join odds_tick on odds_tick.race_id = race.id
       where race.region_id = $1 and season = $2 and race.status = 'final' and seen_at <= $3::timestamptz
       order by race_date, race.id, horse_no, seen_at`,
      [now.toISOString()],
    ),
  }
}

/** Reasons that are told of each starter in the dataset, the largest. */
const TOLD_REASONS = 5

async function readReasons({ rows }: Queries, regionId: string, season: number): Promise<Row[]> {
  const found = await rows<{
    race_key: number
    day: string
    model_key: number
    horse_no: number
    reasons: string
  }>(
    `select race.key as race_key, race_date as day, model.key as model_key, horse_no, reasons
     from race join win_chance on race_id = race.id join model on model.id = model_id
     where race.region_id = $1 and season = $2 and race.status = 'final' and reasons <> ''
     order by race_date, race.id, model.key, horse_no`,
    [regionId, season],
  )
  return found.flatMap(({ race_key, day, model_key, horse_no, reasons }) =>
    parseReasons(reasons)
      .slice(0, TOLD_REASONS)
      .map(({ feature, value }, index) => [race_key, day, model_key, horse_no, index + 1, feature, value]),
  )
}

/** A race's facts that its predictions repeat. */
export interface SettledRace {
  key: number
  date: string
  stadiumKey: number
  raceNo: number
  outcome: RaceOutcome | null
  /** Its number among the region's races of its day; told for a span of days only. */
  position: number | null
}

/** One settled prediction. */
export interface SettledRow {
  race_key: number
  gameplay_class: number
  model_key: number
  rank: number
  combination: string
  probability: number
  selected: boolean
  cautious: boolean
  upset_guard: boolean
  outcome: 'hit' | 'miss' | 'void'
  profit_cents: number | null
  odds: number | null
  odds_paid: boolean
  origin: Origin
}

/** Settled predictions of official results, of a season or from a day on, and their races. */
export async function readSettled(
  { rows }: Queries,
  regionId: string,
  scope: { season: number } | { from: string },
): Promise<{ races: Map<number, SettledRace>; predictions: SettledRow[]; chances: Row[] }> {
  const [condition, value] =
    'season' in scope ? ['race.season = $2', scope.season] : ['race.race_date >= $2::date', scope.from]
  const races = await rows<Omit<SettledRace, 'outcome'> & { id: string; places: number }>(
    `select race.key, race.id, race_date as "date", stadium.key as "stadiumKey", race_no as "raceNo", places,
       ${'from' in scope ? DAY_POSITION : 'null::int'} as position
     from race join stadium on stadium.id = race.stadium_id
     where race.region_id = $1 and ${condition} and race.status = 'final'`,
    [regionId, value],
  )
  const predictions = await rows<SettledRow>(
    `select race.key as race_key, p.gameplay_class, model.key as model_key, p.rank, combination, probability, selected,
       cautious, upset_guard, outcome, profit_cents, coalesce(paid_odds, odds_seen) as odds,
       paid_odds is not null as odds_paid, coalesce(origin_of.origin, 'backtest') as origin
     from race
     join stadium on stadium.id = race.stadium_id
     join prediction p on p.race_id = race.id
     join settlement s on s.race_id = p.race_id and s.model_id = p.model_id
       and s.gameplay_class = p.gameplay_class and s.rank = p.rank
     join model on model.id = p.model_id
     left join ${ORIGIN_OF} as origin_of on origin_of.race_id = p.race_id and origin_of.model_id = p.model_id
     where race.region_id = $1 and ${condition} and race.status = 'final'
     order by race_date, stadium.key, race_no, model.key, p.gameplay_class, p.rank`,
    [regionId, value],
  )
  const chances = await rows<Record<string, string | number>>(
    `select race.key as race_key, race_date, stadium.key as stadium_key, model.key as model_key, c.horse_no, probability,
       case when c.horse_no in (
         select coalesce(w.entry_no, w.horse_no) from runner w where w.race_id = race.id and w.place = 1
       ) then 1.0 / (
         select count(distinct coalesce(w.entry_no, w.horse_no)) from runner w where w.race_id = race.id and w.place = 1
       ) else 0 end::double precision as won,
       coalesce(origin_of.origin, 'backtest') as origin
     from race
     join stadium on stadium.id = race.stadium_id
     join win_chance c on c.race_id = race.id
     join model on model.id = c.model_id
     left join ${ORIGIN_OF} as origin_of on origin_of.race_id = c.race_id and origin_of.model_id = c.model_id
     where race.region_id = $1 and ${condition} and race.status = 'final'
     order by race_date, stadium.key, race_no, model.key, c.horse_no`,
    [regionId, value],
  )
  const outcomes = await readOutcomes({ rows }, races)
  return {
    races: new Map(races.map((race) => [race.key, { ...race, outcome: outcomes.get(race.id) ?? null }])),
    predictions,
    chances: chances.map((row) => Object.values(row)),
  }
}
