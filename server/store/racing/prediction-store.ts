import type { ModelChoice } from '../../model/headline.ts'
import type {
  MeetingRace,
  OddsPoint as OddsTick,
  Prediction,
  RecordItem,
  ScheduledRace,
  Tip,
} from '../../../contract/api/racing.ts'
import { evenly } from '../../../domain/evenly.ts'
import { joinOrigin } from './lock-store.ts'
import type { Queries } from '../../db/database.ts'
import { DAY_POSITION, LAST_RACE_DAY, type RacePlace } from './race-store.ts'
import type { Language } from '../../../domain/languages.ts'
import {
  localTime,
  nameIn,
  nameLanguageIn,
  SCHEDULE_DAYS,
  scheduleSql,
  type SchedulePage,
} from './schedule.ts'

interface TipHorse {
  ranking: number
  horseNumber: number
  horseId: string | null
  name: string
  nameLanguage: Language | null
  silks: string | null
  probability: number
  /** When the tip was published. */
  odds: number | null
  lastOdds: number | null
  edge: number | null
  result: string
}

/** Decimal odds at a time. */
type OddsPoint = Tip['chartData'][number]

/** A race's four most probable winners, and the facts that decide who may see them. */
export interface FullTip {
  race: RacePlace
  raceNo: number
  numbersByName: boolean
  stadiumName: string
  time: string | null
  horses: TipHorse[]
  /**
   * Win odds of the most probable horse over time, oldest first: at most `TRACK_POINTS`, including the first
   * and the last.
   */
  track: OddsPoint[]
  /** Outcome of the most probable horse; `null` before the result. */
  outcome: 'hit' | 'miss' | 'void' | null
}

const TIP_HORSES = 4
const TIP_DAYS = 7
/** Number of points that fit into a small chart. */
const TRACK_POINTS = 24

type TipRow = RacePlace &
  Pick<FullTip, 'raceNo' | 'numbersByName' | 'stadiumName' | 'time' | 'outcome'> &
  TipHorse & {
    /** JSON of `OddsPoint`s; `null` except for the most probable horse. */
    seen: string | null
  }

/** SQL for the sum of a race's inverse odds; none if an odds is unknown. The horses of a coupled entry are one bet. */
const MARKET_TOTAL = `select sum(1 / bet.odds) as total from (
    select max(win_odds) as odds, bool_and(win_odds is not null) as is_known from runner
    where runner.race_id = race.id and runner.status <> 'withdrawn' group by coalesce(entry_no, horse_no)) as bet
  having bool_and(bet.is_known)`

const tipSql = (language: Language, where: string): string =>
  `select race.id, race.region_id, race_date as date, race.status,
     ${LAST_RACE_DAY} as last_race_day, ${DAY_POSITION} as position, race_no, numbers_by_name,
     coalesce(${nameIn(language, 'stadium')}, stadium.id) as stadium_name, ${localTime()} as time,
     p.rank as ranking, p.combination::int as horse_number, horse.id as horse_id,
     coalesce(${nameIn(language, 'horse')}, horse.brand, '') as name,
     ${nameLanguageIn(language, 'horse')} as name_language, runner.silks, p.probability, p.odds_seen as odds,
     runner.win_odds as last_odds, p.probability - 1 / runner.win_odds / market.total as edge,
     coalesce(runner.place::text, runner.place_code, '') as result, s.outcome,
     case when p.rank = 1 then (select json_agg(json_build_object('createTime', to_char(seen_at at time zone 'UTC',
         'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'odds', odds) order by seen_at)::text
       from odds_tick where race_id = race.id and horse_no = p.combination::int) end as seen
   from race join stadium on stadium.id = race.stadium_id join region on region.id = race.region_id
   join prediction p on p.race_id = race.id and p.model_id = coalesce($1::text, race.headline_model) and p.gameplay_class = 1 and p.rank <= ${TIP_HORSES}
   left join settlement s on s.race_id = p.race_id and s.model_id = p.model_id and s.gameplay_class = p.gameplay_class
     and s.rank = p.rank
   left join runner on runner.race_id = race.id and runner.horse_no = p.combination::smallint
   left join horse on horse.id = runner.horse_id
   left join lateral (${MARKET_TOTAL}) as market on true
   where ${where}
   order by race_date, coalesce(starts_at, 'infinity'), stadium.id, race_no, p.rank`

function gather(rows: readonly TipRow[]): FullTip[] {
  const tips = new Map<string, FullTip>()
  for (const {
    id,
    regionId,
    date,
    status,
    lastRaceDay,
    position,
    raceNo,
    numbersByName,
    stadiumName,
    time,
    outcome,
    seen,
    ...horse
  } of rows) {
    const race = { id, regionId, date, status, lastRaceDay, position }
    const facts = { race, raceNo, numbersByName, stadiumName, time, outcome }
    const tip = tips.get(id) ?? { ...facts, horses: [], track: [] }
    if (seen !== null) tip.track = evenly(JSON.parse(seen) as OddsPoint[], TRACK_POINTS)
    tip.horses.push(horse)
    tips.set(id, tip)
  }
  return [...tips.values()]
}

/** Tips for a region's coming races and those already run, from a day on for at most a week. */
export async function listTips(
  { rows }: Queries,
  model: ModelChoice,
  regionId: string,
  from: string,
  language: Language,
): Promise<FullTip[]> {
  const where = `race.region_id = $2 and race.status <> 'abandoned'
    and race_date >= $3::date and race_date <= $3::date + ${TIP_DAYS}`
  return gather(await rows<TipRow>(tipSql(language, where), [model, regionId, from]))
}

export async function readTip(
  { rows }: Queries,
  model: ModelChoice,
  raceId: string,
  language: Language,
): Promise<FullTip | null> {
  return gather(await rows<TipRow>(tipSql(language, 'race.id = $2'), [model, raceId]))[0] ?? null
}

/** A row of the record before it is put into words. */
export type RecordRow = Omit<
  RecordItem,
  'id' | 'round' | 'results' | 'predictionResults' | 'isAccuracy' | 'profit'
> & {
  combination: string
  rank: number
  profitCents: number | null
  /** Places and saddle numbers of the first four, including dead heats: `1:7 2:3 2:5`. */
  finish: string
}

const FINISH = `coalesce((select string_agg(place || ':' || horse_no, ' ' order by place, horse_no) from runner
  where runner.race_id = race.id and place <= 4 and horse_no is not null), '')`

const recordSql = (language: Language, races: string): string =>
  `select race.id as race_id, race_date as date, coalesce(${nameIn(language, 'stadium')}, stadium.id) as stadium_name,
     race_no as stadium_num, p.gameplay_class, p.combination, p.rank, p.probability, s.outcome,
     s.profit_cents, coalesce(s.paid_odds, p.odds_seen) as odds, s.paid_odds is not null as odds_paid,
     coalesce(origin_of.origin, 'backtest') as origin, numbers_by_name, ${FINISH} as finish
   from (${races}) as race join stadium on stadium.id = race.stadium_id
   join prediction p on p.race_id = race.id and p.model_id = coalesce($1::text, race.headline_model) and p.selected
   join settlement s on s.race_id = p.race_id and s.model_id = p.model_id and s.gameplay_class = p.gameplay_class
     and s.rank = p.rank
   ${joinOrigin('p.race_id', 'p.model_id')}`

const SETTLED = `exists (select 1 from settlement where settlement.race_id = race.id and settlement.model_id = coalesce($1::text, race.headline_model))`

/** What a page of the record lists, and what its viewer may see. */
export interface RecordQuery {
  regionId: string
  /** Newest day, `yyyy-mm-dd`. */
  today: string
  gameplayClass: number | null
  limit: number
  offset: number
  /** Oldest day for viewers without access to the full history; `null`: all history. */
  from: string | null
  /** Customer whose unlocked races are also included. */
  customerId: string | null
  /** Bet type that is listed only for the first `limitedRaces` races of a day; `null`: no limit. */
  limitedClass: number | null
  limitedRaces: number
}

/** A page of the record: the settled selected predictions of a region, newest day first. */
export async function listRecords(
  { rows }: Queries,
  model: ModelChoice,
  query: RecordQuery,
  language: Language,
): Promise<RecordRow[]> {
  const mine = `exists (select 1 from subscription where subscription.race_id = race.id and customer_id = $5::uuid)`
  // Each race has at least one line, so a page never needs more races than lines.
  const races = `select * from race where region_id = $2 and race.status = 'final' and race_date <= $3::date
    and ($4::date is null or race_date >= $4::date or ${mine})
    and exists (select 1 from settlement where settlement.race_id = race.id and settlement.model_id = coalesce($1::text, race.headline_model)
      and ($6::int is null or settlement.gameplay_class = $6::int))
    and ($6::int is null or $9::int is null or $6::int <> $9::int or ${mine} or ${DAY_POSITION} <= $10)
    order by race_date desc, stadium_id, race_no limit $7::int + $8::int`
  return rows(
    `${recordSql(language, races)}
     where ($6::int is null or p.gameplay_class = $6::int)
       and ($9::int is null or p.gameplay_class <> $9::int or ${mine} or ${DAY_POSITION} <= $10)
     order by race_date desc, stadium.id, race_no, p.gameplay_class limit $7 offset $8`,
    [
      model,
      query.regionId,
      query.today,
      query.from,
      query.customerId,
      query.gameplayClass,
      query.limit,
      query.offset,
      query.limitedClass,
      query.limitedRaces,
    ],
  )
}

/** Enough for the two last meetings: more than the races of any two. */
const RACES_OF_MEETINGS = 60

/** Win predictions for the first three races of each of a region's last two meetings with results up to a day. */
export async function listLastMeetings(
  { rows }: Queries,
  model: ModelChoice,
  query: Pick<RecordQuery, 'regionId' | 'today' | 'from' | 'customerId' | 'limitedClass' | 'limitedRaces'>,
  language: Language,
): Promise<RecordRow[]> {
  const mine = `exists (select 1 from subscription where subscription.race_id = race.id and customer_id = $5::uuid)`
  const last = `select * from race where region_id = $2 and race.status = 'final' and race_date <= $3::date
      and ($4::date is null or race_date >= $4::date or ${mine}) and ${SETTLED}
    order by race_date desc, stadium_id, race_no limit ${RACES_OF_MEETINGS}`
  const seen = `select *, dense_rank() over (order by race_date desc, stadium_id) as meeting,
      row_number() over (partition by race_date, stadium_id order by race_no) as number from (${last}) as race`
  return rows(
    `${recordSql(language, seen)}
     where meeting <= 2 and number <= 3 and p.gameplay_class = 1
       and ($6::int is distinct from 1 or ${mine} or ${DAY_POSITION} <= $7)
     order by race_date desc, stadium.id, race_no`,
    [
      model,
      query.regionId,
      query.today,
      query.from,
      query.customerId,
      query.limitedClass,
      query.limitedRaces,
    ],
  )
}

type FirstChoice = NonNullable<MeetingRace['pick']>

/** A winner as `winners` has it. */
export type StoredWinner = Omit<MeetingRace['winners'][number], 'dividend'> & { dividendCents: number | null }

/** A race's result, and what the first choice was worth. */
export interface ResultRow {
  /** JSON of the winners, with their dividends in cents. */
  winners: string
  /** Saddle number of the first choice; `null` if nothing is settled. */
  horseNumber: number | null
  outcome: FirstChoice['outcome'] | null
  profitCents: number | null
  origin: FirstChoice['origin']
}

export interface MeetingRaceRow extends ResultRow {
  raceId: string
  date: string
  stadiumName: string
  raceNo: number
  numbersByName: boolean
  rank: number | null
  /** Whether the viewer may see the predictions of the race. */
  open: boolean
}

/** SQL for the combination of a bet on a runner to win: an entry has one number. */
const BET = 'coalesce(runner.entry_no, runner.horse_no)::text'

const winnersSql = (language: Language): string =>
  `(select coalesce(json_agg(json_build_object('horseNumber', runner.horse_no, 'entryNumber', runner.entry_no,
       'name', coalesce(${nameIn(language, 'horse')}, horse.brand, ''),
       'nameLanguage', ${nameLanguageIn(language, 'horse')}, 'silks', runner.silks,
       'dividendCents', (select max(dividend_cents) from dividend where dividend.race_id = runner.race_id
         and gameplay_class = 1 and combination = ${BET} and dividend.status = 'paid'))
       order by runner.horse_no), '[]')::text
     from runner join horse on horse.id = runner.horse_id where runner.race_id = race.id and place = 1)`

/** The columns of `ResultRow`. */
const resultSql = (language: Language): string =>
  `${winnersSql(language)} as winners, case when s.outcome is not null then p.combination::int end as horse_number,
     s.outcome, s.profit_cents, coalesce(origin_of.origin, 'backtest') as origin`

/** Joins the first choice to win of the model `$1` and what became of it, which `resultSql` reads. */
const JOIN_FIRST_CHOICE = `left join prediction p on p.race_id = race.id and p.model_id = coalesce($1::text, race.headline_model)
     and p.gameplay_class = 1 and p.selected
   left join settlement s on s.race_id = p.race_id and s.model_id = p.model_id
     and s.gameplay_class = p.gameplay_class and s.rank = p.rank
   ${joinOrigin('p.race_id', 'p.model_id')}`

/** The races of a region's last two meetings with results up to a day, the last meeting first. */
export const listMeetingResults = (
  { rows }: Queries,
  model: ModelChoice,
  query: Omit<RecordQuery, 'gameplayClass' | 'limit' | 'offset'>,
  language: Language,
): Promise<MeetingRaceRow[]> => {
  const mine = `exists (select 1 from subscription where subscription.race_id = race.id and customer_id = $5::uuid)`
  const last = `select * from race where region_id = $2 and race.status = 'final' and race_date <= $3::date
    order by race_date desc, stadium_id, race_no limit ${RACES_OF_MEETINGS}`
  return rows(
    `select race.id as race_id, race_date as date, coalesce(${nameIn(language, 'stadium')}, stadium.id) as stadium_name,
       race_no, numbers_by_name, ${resultSql(language)},
       (select min(won.rank) from prediction won join runner on runner.race_id = won.race_id and runner.place = 1
          and ${BET} = won.combination
        where won.race_id = race.id and won.model_id = coalesce($1::text, race.headline_model)
          and won.gameplay_class = 1) as rank,
       ${mine} or (($4::date is null or race_date >= $4::date)
         and ($6::int is distinct from 1 or ${DAY_POSITION} <= $7)) as open
     from (select *, dense_rank() over (order by race_date desc, stadium_id) as meeting from (${last}) as race) as race
     join stadium on stadium.id = race.stadium_id
     ${JOIN_FIRST_CHOICE}
     where meeting <= 2 order by race_date desc, stadium.id, race_no`,
    [
      model,
      query.regionId,
      query.today,
      query.from,
      query.customerId,
      query.limitedClass,
      query.limitedRaces,
    ],
  )
}

/** A page of the races that a customer unlocked, up to a week after `today`, newest first. */
export const pageSubscribed = (
  { rows }: Queries,
  model: ModelChoice,
  { regionId, today, limit, offset }: SchedulePage,
  customerId: string,
  language: Language,
): Promise<(ScheduledRace & ResultRow)[]> =>
  rows(
    `${scheduleSql(language, `, ${resultSql(language)}`)}
     join subscription on subscription.race_id = race.id
     ${JOIN_FIRST_CHOICE}
     where subscription.customer_id = $6::uuid and race.region_id = $2
       and race_date <= $3::date + ${SCHEDULE_DAYS}
     order by race_date desc, stadium.id, race_no limit $4 offset $5`,
    [model, regionId, today, limit, offset, customerId],
  )

export type PredictionRow = Pick<
  Prediction,
  'raceId' | 'gameplayClass' | 'names' | 'probability' | 'odds' | 'oddsPaid' | 'outcome'
> & {
  rank: number
  combination: string
  selected: boolean
  cautious: boolean
  upsetGuard: boolean
  profitCents: number | null
}

/** A page of a race's predictions of a bet type, most probable first. */
export const listPredictions = (
  { rows }: Queries,
  model: ModelChoice,
  filter: { raceId: string; gameplayClass: number; limit: number; offset: number },
  language: Language,
): Promise<PredictionRow[]> =>
  rows(
    `select p.race_id, p.gameplay_class, p.rank, p.combination, p.probability,
       coalesce(s.paid_odds, p.odds_seen) as odds, s.paid_odds is not null as odds_paid, selected, cautious,
       upset_guard, s.outcome, s.profit_cents,
       (select coalesce(array_agg(coalesce(${nameIn(language, 'horse')}, horse.brand, '') order by position), '{}')
        from unnest(string_to_array(p.combination, '-')) with ordinality as chosen(number, position)
        left join runner on runner.race_id = p.race_id and runner.horse_no = chosen.number::smallint
        left join horse on horse.id = runner.horse_id) as names
     from race join prediction p on p.race_id = race.id and p.model_id = coalesce($2::text, race.headline_model)
     left join settlement s on s.race_id = p.race_id and s.model_id = p.model_id
       and s.gameplay_class = p.gameplay_class and s.rank = p.rank
     where race.id = $1 and p.gameplay_class = $3 order by p.rank limit $4 offset $5`,
    [filter.raceId, model, filter.gameplayClass, filter.limit, filter.offset],
  )

/** Win odds over time, up to `now`, of one prediction's horses; `null` if there is no such prediction. */
export async function readOddsTrack(
  { rows }: Queries,
  model: ModelChoice,
  prediction: { raceId: string; gameplayClass: number; rank: number },
  now: Date,
): Promise<OddsTick[] | null> {
  const [found] = await rows<{ combination: string }>(
    `select combination from race join prediction on race_id = race.id and model_id = coalesce($2::text, headline_model)
     where race.id = $1 and gameplay_class = $3 and rank = $4`,
    [prediction.raceId, model, prediction.gameplayClass, prediction.rank],
  )
  if (!found) return null
  return rows(
    `select seen_at as create_time, odds, horse_no as horse_number from odds_tick
     where race_id = $1 and horse_no = any($2::smallint[]) and seen_at <= $3 order by seen_at, horse_no`,
    [prediction.raceId, found.combination.split('-').map(Number), now],
  )
}
