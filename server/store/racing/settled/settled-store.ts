import type { ModelId } from '../../../../contract/model-ids.ts'
import type { Origin } from '../../../../contract/record-vocabulary.ts'
import type { OrderRule } from '../../../../domain/order-rule.ts'
import { groupBy } from '../../../../domain/group-by.ts'
import type { RaceOutcome } from '../../../../domain/settlement.ts'
import type { Queries } from '../../../db/database.ts'
import { STARTERS } from '../dataset-store.ts'
import { readEarlierRuns, type EarlierRuns } from './earlier-runs.ts'
import { readAsRun, type AsRun } from './as-run.ts'
import { joinOrigin } from '../lock-store.ts'
import { readOutcomes } from '../outcome-store.ts'
import { AGE_ON_RACE_DAY, DAY_POSITION } from '../race-store.ts'

/** The facts about a race that its rows repeat. */
export interface SettledRace {
  status: 'final' | 'scheduled'
  key: number
  id: string
  date: string
  season: number
  stadiumKey: number
  raceNo: number
  track: string | null
  course: string | null
  going: string | null
  /** Going of the first race of its meeting on the same surface whose going is known. */
  firstGoing: string | null
  distanceM: number | null
  raceClass: string | null
  starters: number
  places: number
  outcome: RaceOutcome | null
  /** Position among the region's races of the day; `null` unless the rows were read by `from`. */
  position: number | null
}

/** One prediction; its outcome is `null` before the result. */
export interface SettledRow {
  raceKey: number
  gameplayClass: number
  model: ModelId
  rank: number
  combination: string
  probability: number
  selected: boolean
  cautious: boolean
  upsetGuard: boolean
  outcome: 'hit' | 'miss' | 'void' | null
  profitCents: number | null
  odds: number | null
  oddsPaid: boolean
  origin: Origin
}

/** One model's view of a starter. For a coupled entry, the horse facts are those of its first horse. */
export interface ChanceRow {
  raceKey: number
  model: ModelId
  origin: Origin
  horseNo: number
  probability: number
  horseKey: number | null
  jockeyKey: number | null
  trainerKey: number | null
  draw: number | null
  rating: number | null
  weightLb: number | null
  bodyWeightLb: number | null
  gear: string | null
  age: number | null
  sex: string | null
  owner: string | null
  place: number | null
  /** Final odds; for an upcoming race, the last odds seen. */
  winOdds: number | null
  /** First odds seen; for a coupled entry, those of the starter with the line's number. */
  openingOdds: number | null
  /** Last odds seen two minutes before post time, when a bet can still be placed; `null` without a post time. */
  lateOdds: number | null
}

/**
 * A model's predictions of a race, each on a line of text: see `predictionsOf`. A season has some 300,000, for whose
 * objects there is no room beside an embedded database.
 */
export interface PredictionLines extends Pick<SettledRow, 'raceKey' | 'model' | 'origin'> {
  lines: string
}

export interface SettledRows {
  races: Map<number, SettledRace>
  /** In the order of races and models. */
  predictions: PredictionLines[]
  chances: ChanceRow[]
  /** By race and horse: see `earlierKey`. */
  earlier: ReadonlyMap<string, EarlierRuns>
  /** Of the races that were run and whose sections are known. */
  asRun: readonly AsRun[]
  /** Order rule of the market model, by season. */
  orders: Map<number, OrderRule>
}

/**
 * Settled predictions of races with official results, of a season or from a day on, with the races and all
 * starters; or the predictions for the upcoming races of a day and of the next race day.
 */
export async function readSettled(
  { rows }: Queries,
  regionId: string,
  scope: { season: number } | { from: string } | { coming: string },
): Promise<SettledRows> {
  const coming = 'coming' in scope
  const [chosen, value] =
    'season' in scope
      ? ['race.season = $2', scope.season]
      : coming
        ? [COMING, scope.coming]
        : ['race.race_date >= $2::date', scope.from]
  const condition = `${chosen} and race.status = '${coming ? 'scheduled' : 'final'}'`
  const races = await rows<Omit<SettledRace, 'outcome'>>(
    `select race.key, race.id, race.status, race_date as date, race.season, stadium.key as stadium_key,
       race_no, track, course, going, distance_m, race_class,
       (select first.going from race first where first.stadium_id = race.stadium_id
         and first.race_date = race.race_date and first.track is not distinct from race.track
         and first.going is not null order by first.race_no limit 1) as first_going,
       ${STARTERS}::int as starters, places, ${'from' in scope ? DAY_POSITION : 'null::int'} as position
     from race join stadium on stadium.id = race.stadium_id
     where race.region_id = $1 and ${condition}`,
    [regionId, value],
  )
  const predictions = await readPredictions({ rows }, regionId, condition, value, coming)
  const outcomes = coming ? null : await readOutcomes({ rows }, races)
  return {
    races: new Map(races.map((race) => [race.key, { ...race, outcome: outcomes?.get(race.id) ?? null }])),
    predictions,
    chances: await readChances({ rows }, regionId, condition, value, races),
    earlier: await readEarlierRuns({ rows }, regionId, condition, value),
    asRun: coming ? [] : await readAsRun({ rows }, regionId, condition, value),
    orders: await readMarketOrders({ rows }, regionId),
  }
}

/** The fields of one prediction in the text that `readPredictions` selects; none contains a space. */
const LINE = `concat_ws(' ', p.gameplay_class, p.rank, p.combination, p.probability, p.selected, p.cautious,
  p.upset_guard, coalesce(s.outcome, '-'), coalesce(s.profit_cents::text, '-'),
  coalesce(s.paid_odds::text, p.odds_seen::text, '-'), s.paid_odds is not null)`

/**
 * Predictions in the order of their races and models. A model's predictions of a race come as one text: a cell of the
 * driver for each of their fields, with the origin looked up for each of them, took ten times as long.
 */
const readPredictions = (
  { rows }: Queries,
  regionId: string,
  condition: string,
  value: string | number,
  coming: boolean,
): Promise<PredictionLines[]> =>
  rows<PredictionLines>(
    `select race.key as race_key, model.id as model, ${ORIGIN} as origin, own.lines
     from race
     join stadium on stadium.id = race.stadium_id
     cross join model
     join lateral (
       select string_agg(${LINE}, e'\\n' order by p.gameplay_class, p.rank) as lines
       from prediction p
       ${coming ? 'left join' : 'join'} settlement s on s.race_id = p.race_id and s.model_id = p.model_id
         and s.gameplay_class = p.gameplay_class and s.rank = p.rank
       where p.race_id = race.id and p.model_id = model.id
     ) as own on own.lines is not null
     ${joinOrigin('race.id', 'model.id')}
     where race.region_id = $1 and ${condition}
     order by race_date, stadium.key, race_no, model.key`,
    [regionId, value],
  )

/** The predictions of a text, in the order of bet types and ranks. */
export function* predictionsOf(text: PredictionLines): Generator<SettledRow> {
  for (const line of text.lines.split('\n')) yield predictionOf(text, line)
}

const numberOrNull = (text: string): number | null => (text === '-' ? null : Number(text))

function predictionOf({ raceKey, model, origin }: PredictionLines, line: string): SettledRow {
  const fields = line.split(' ')
  const [gameplayClass, rank, combination, probability, selected, cautious, upsetGuard] = fields
  const [outcome, profit, odds, paid] = fields.slice(7)
  return {
    raceKey,
    gameplayClass: Number(gameplayClass),
    model,
    rank: Number(rank),
    combination: combination!,
    probability: Number(probability),
    selected: selected === 't',
    cautious: cautious === 't',
    upsetGuard: upsetGuard === 't',
    outcome: outcome === '-' ? null : (outcome as SettledRow['outcome']),
    profitCents: numberOrNull(profit!),
    odds: numberOrNull(odds!),
    oddsPaid: paid === 't',
    origin,
  }
}

/** Predictions for an upcoming race count as locked, because they are locked by its post time. */
const ORIGIN = `case race.status when 'scheduled' then 'locked' else coalesce(origin_of.origin, 'backtest') end`

/** Races of a day and of the next day with races that are still to be run. */
export const COMING = `race.race_date between $2::date and coalesce((select min(next.race_date) from race next
  where next.region_id = $1 and next.race_date > $2::date and next.status = 'scheduled'), $2::date)`

/** The best place of each betting interest of the matching races. */
const PLACES = (condition: string): string => `(
  select race_id, coalesce(entry_no, horse_no) as number, min(place) as place
  from runner join race on race.id = runner.race_id
  where race.region_id = $1 and ${condition} group by 1, 2
)`

/** Odds that were known two minutes before post time. */
const LATE = `seen_at <= race.starts_at - interval '2 minutes'`

/** The first or the last odds seen of each horse, among those that `which` selects. */
const ODDS_SEEN = (condition: string, order: 'asc' | 'desc', which = 'true'): string => `(
  select distinct on (odds_tick.race_id, odds_tick.horse_no) odds_tick.race_id, odds_tick.horse_no, odds
  from race join odds_tick on odds_tick.race_id = race.id
  where race.region_id = $1 and ${condition} and ${which}
  order by odds_tick.race_id, odds_tick.horse_no, seen_at ${order}
)`

async function readChances(
  { rows }: Queries,
  regionId: string,
  condition: string,
  value: string | number,
  races: readonly Pick<SettledRace, 'date'>[],
): Promise<ChanceRow[]> {
  const found: ChanceRow[] = []
  for (const [from, to] of spansOf(races)) {
    const part = await rows<ChanceRow>(
      chancesSql(`${condition} and race.race_date between $3::date and $4::date`),
      [regionId, value, from, to],
    )
    for (const row of part) found.push(row)
  }
  return found
}

/** Races whose starters one statement reads, so that none holds the embedded database for long. */
const RACES_AT_ONCE = 300

/** First and last days that divide the races' days, in order, into spans of some `RACES_AT_ONCE` races. */
function spansOf(races: readonly Pick<SettledRace, 'date'>[]): [string, string][] {
  const spans: { days: [string, string]; races: number }[] = []
  for (const [day, { length }] of [...groupBy(races, ({ date }) => date)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )) {
    const last = spans.at(-1)
    if (last === undefined || last.races + length > RACES_AT_ONCE)
      spans.push({ days: [day, day], races: length })
    else {
      last.days[1] = day
      last.races += length
    }
  }
  return spans.map(({ days }) => days)
}

const chancesSql = (condition: string): string =>
  `select race.key as race_key, c.model_id as model, ${ORIGIN} as origin,
     c.horse_no, c.probability, horse.key as horse_key, jockey.key as jockey_key, trainer.key as trainer_key, runner.draw,
     runner.rating, runner.actual_weight_lb as weight_lb, runner.declared_weight_lb as body_weight_lb, runner.gear,
     ${AGE_ON_RACE_DAY} as age, runner.sex, runner.owner,
     placed.place, coalesce(case race.status when 'scheduled' then last.odds end, runner.win_odds) as win_odds,
     opening.odds as opening_odds, late.odds as late_odds
   from race
   join stadium on stadium.id = race.stadium_id
   join win_chance c on c.race_id = race.id
   join model on model.id = c.model_id
   left join runner on runner.race_id = race.id and runner.horse_no = c.horse_no
   left join ${ODDS_SEEN(condition, 'asc')} as opening on opening.race_id = race.id and opening.horse_no = c.horse_no
   left join ${ODDS_SEEN(condition, 'desc', LATE)} as late on late.race_id = race.id and late.horse_no = c.horse_no
   left join ${ODDS_SEEN(condition, 'desc')} as last on last.race_id = race.id and last.horse_no = c.horse_no
   left join horse on horse.id = runner.horse_id
   left join jockey on jockey.id = runner.jockey_id
   left join trainer on trainer.id = runner.trainer_id
   left join ${PLACES(condition)} as placed on placed.race_id = race.id and placed.number = c.horse_no
   ${joinOrigin('c.race_id', 'c.model_id')}
   where race.region_id = $1 and ${condition}
   order by race_date, stadium.key, race_no, model.key, c.horse_no`

/** Order rule of the market model, by season. The database extracts it, because the model files are large. */
async function readMarketOrders({ rows }: Queries, regionId: string): Promise<Map<number, OrderRule>> {
  const found = await rows<{
    season: number
    second: number
    third: number
    fourth: number
    shape: number | null
  }>(
    `select season, (market ->> 'shape')::float8 as shape, (market -> 'exponents' ->> 'second')::float8 as second,
       (market -> 'exponents' ->> 'third')::float8 as third, (market -> 'exponents' ->> 'fourth')::float8 as fourth
     from (select season, content::json -> 'market' as market from model_version where region_id = $1) v`,
    [regionId],
  )
  return new Map(
    found.map(({ season, shape, ...exponents }) => [season, shape === null ? exponents : { shape }]),
  )
}
