import type { DatasetRegion } from '../../contract/dataset.ts'
import type { StageExponents } from '../../domain/harville.ts'
import type { Queries } from './database.ts'
import type { RaceOutcome } from '../../domain/settlement.ts'
import type { Origin } from '../../contract/record-vocabulary.ts'
import { ORIGIN_OF } from './lock-store.ts'
import { DAY_POSITION } from './race-store.ts'
import { parseReasons } from './report-store.ts'
import { readOutcomes } from './outcome-store.ts'
import type { ModelId } from '../../contract/model-ids.ts'

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

/** A row by column name, as the database gives it. */
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
      `select key as horse_key, id as horse_id, region_id, brand, ${names} from horse where region_id = $1 order by key`,
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
  /** Days of the races that were run, in order. */
  finalDays: string[]
  runners: NamedRow[]
  dividends: NamedRow[]
  oddsTicks: NamedRow[]
  locks: NamedRow[]
  reasons: NamedRow[]
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
  const list = (sql: string, more: readonly string[] = []): Promise<NamedRow[]> =>
    rows<NamedRow>(sql, [regionId, season, ...more])
  const finals = await rows<{ day: string }>(
    `select distinct race_date as day from race
     where region_id = $1 and season = $2 and status = 'final' order by 1`,
    [regionId, season],
  )
  return {
    finalDays: finals.map(({ day }) => day),
    races: await list(
      `select race.key as race_key, race.id as race_id, race_date, stadium.key as stadium_key, race_no, race.name_en,
         race.name_hant, race.name_hans, race_class, track, course, distance_m, going, declared_starters,
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
      [now.toISOString()],
    ),
  }
}

/** Reasons that the dataset has of each starter, the largest. */
const MAX_REASONS = 5

async function readReasons({ rows }: Queries, regionId: string, season: number): Promise<NamedRow[]> {
  const found = await rows<{
    race_key: number
    race_date: string
    model: string
    horse_no: number
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
      .map(({ feature, value }, index) => ({ ...row, rank: index + 1, feature, log_odds: value })),
  )
}

/** A race's facts that its rows repeat. */
export interface SettledRace {
  key: number
  id: string
  date: string
  season: number
  stadiumKey: number
  raceNo: number
  track: string | null
  course: string | null
  going: string | null
  distanceM: number | null
  raceClass: string | null
  starters: number
  places: number
  outcome: RaceOutcome | null
  /** Its number among the region's races of its day; known for a span of days only. */
  position: number | null
}

/** One settled prediction. */
export interface SettledRow {
  race_key: number
  gameplay_class: number
  model: ModelId
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

/** A starter of a settled race as one model sees it; facts of its horse are of the first horse of a coupled entry. */
export interface ChanceRow {
  race_key: number
  model: ModelId
  origin: Origin
  horse_no: number
  probability: number
  horse_key: number | null
  jockey_key: number | null
  trainer_key: number | null
  draw: number | null
  rating: number | null
  weight_lb: number | null
  body_weight_lb: number | null
  gear: string | null
  days_since_run: number | null
  career_runs: number | null
  place: number | null
  win_odds: number | null
}

export interface SettledRows {
  races: Map<number, SettledRace>
  predictions: SettledRow[]
  chances: ChanceRow[]
  /** Stage exponents of the market line, by season. */
  exponents: Map<number, StageExponents>
}

/** Settled predictions of official results, of a season or from a day on, with their races and every starter. */
export async function readSettled(
  { rows }: Queries,
  regionId: string,
  scope: { season: number } | { from: string },
): Promise<SettledRows> {
  const [condition, value] =
    'season' in scope ? ['race.season = $2', scope.season] : ['race.race_date >= $2::date', scope.from]
  const races = await rows<Omit<SettledRace, 'outcome'>>(
    `select race.key, race.id, race_date as "date", race.season, stadium.key as "stadiumKey", race_no as "raceNo", track,
       course, going, distance_m as "distanceM", race_class as "raceClass", ${STARTERS}::int as starters, places,
       ${'from' in scope ? DAY_POSITION : 'null::int'} as position
     from race join stadium on stadium.id = race.stadium_id
     where race.region_id = $1 and ${condition} and race.status = 'final'`,
    [regionId, value],
  )
  const predictions = await rows<SettledRow>(
    `select race.key as race_key, p.gameplay_class, p.model_id as model, p.rank, combination, probability, selected,
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
  const outcomes = await readOutcomes({ rows }, races)
  return {
    races: new Map(races.map((race) => [race.key, { ...race, outcome: outcomes.get(race.id) ?? null }])),
    predictions,
    chances: await readChances({ rows }, regionId, condition, value),
    exponents: await readMarketExponents({ rows }, regionId),
  }
}

/** What a horse did before each of its races, of the horses that ran in the races of the condition. */
const PAST_RUNS = (condition: string): string => `(
  select runner.race_id, runner.horse_id,
    (race_date - lag(race_date) over w)::int as days_since_run, (row_number() over w - 1)::int as career_runs
  from runner join race on race.id = runner.race_id
  where race.region_id = $1 and race.status = 'final' and runner.horse_no is not null and runner.status <> 'withdrawn'
    and runner.horse_id in (
      select chosen.horse_id from runner chosen join race on race.id = chosen.race_id
      where race.region_id = $1 and ${condition})
  window w as (partition by runner.horse_id order by race_date, race.id)
)`

async function readChances(
  { rows }: Queries,
  regionId: string,
  condition: string,
  value: string | number,
): Promise<ChanceRow[]> {
  return rows<ChanceRow>(
    `select race.key as race_key, c.model_id as model, coalesce(origin_of.origin, 'backtest') as origin, c.horse_no,
       c.probability, horse.key as horse_key, jockey.key as jockey_key, trainer.key as trainer_key, runner.draw,
       runner.rating, runner.actual_weight_lb as weight_lb, runner.declared_weight_lb as body_weight_lb, runner.gear,
       days_since_run, career_runs, (
         select min(w.place) from runner w where w.race_id = race.id and coalesce(w.entry_no, w.horse_no) = c.horse_no
       ) as place, runner.win_odds
     from race
     join stadium on stadium.id = race.stadium_id
     join win_chance c on c.race_id = race.id
     join model on model.id = c.model_id
     left join runner on runner.race_id = race.id and runner.horse_no = c.horse_no
     left join horse on horse.id = runner.horse_id
     left join jockey on jockey.id = runner.jockey_id
     left join trainer on trainer.id = runner.trainer_id
     left join ${PAST_RUNS(condition)} as past on past.race_id = race.id and past.horse_id = runner.horse_id
     left join ${ORIGIN_OF} as origin_of on origin_of.race_id = c.race_id and origin_of.model_id = c.model_id
     where race.region_id = $1 and ${condition} and race.status = 'final'
     order by race_date, stadium.key, race_no, model.key, c.horse_no`,
    [regionId, value],
  )
}

/** Stage exponents of the market line, by season; read out of the model files, which are large, by the database. */
async function readMarketExponents(
  { rows }: Queries,
  regionId: string,
): Promise<Map<number, StageExponents>> {
  const found = await rows<{ season: number } & StageExponents>(
    `select season, (exponents ->> 'second')::float8 as second, (exponents ->> 'third')::float8 as third,
       (exponents ->> 'fourth')::float8 as fourth
     from (select season, content::json -> 'market' -> 'exponents' as exponents from model_version where region_id = $1) v`,
    [regionId],
  )
  return new Map(found.map(({ season, ...exponents }) => [season, exponents]))
}
