import type { Filter } from '../../analytics/filter.ts'
import { BET_LIST, betsSql } from './reference-bets.ts'
import { RUNNER_DIMENSION_SQL, RUNNER_MORE, RUNNER_REFERENCE_MEASURES } from './reference-runners.ts'
import { band, REFERENCE, referenceCondition, share, single } from './reference-sql.ts'

/**
 * A second implementation of the model of races as SQL over PostgreSQL's own tables, with those of `RUNNER_REFERENCE_VIEWS`. Every
 * figure is counted over the starters `p` of the races; a race is grouped by its row `c`, the first choice of the model.
 */

/** What is known of a race's favourite and its winners; of several winners the shortest odds and the mean dividend count. */
export const RACE_REFERENCE_VIEWS = `create table reference_race as
  select race_id, model_id,
    min(win_odds) filter (where market_rank = 1) as favourite_odds,
    min(win_odds) filter (where won > 0) as winner_odds,
    avg(profit_cents + 1000) filter (where outcome = 'hit') as win_dividend,
    coalesce(sum(won) filter (where market_rank <= 3), 0) as won_of_three, bool_or(market is not null) as priced,
    count(*) filter (where ahead < 0.8) as contenders, sum(probability) filter (where ahead < 0.8) as contender_chance,
    coalesce(sum(won) filter (where ahead < 0.8), 0) as won_of_contenders
  from (select *, sum(probability) over (partition by race_id, model_id order by model_rank, horse_no) - probability as ahead
    from reference_starter_row) as p group by race_id, model_id;
  create index on reference_race (race_id, model_id);
  analyze reference_race;`

/** The list of races in backtests of one model: a line for each with its first choice, its favourite and its winners. */
export const RACE_LIST_REFERENCE = `select p.race_id, max(horse_no) filter (where model_rank = 1) as first_no,
    max(place) filter (where model_rank = 1) as first_place, max(horse_no) filter (where market_rank = 1) as favourite_no,
    max(place) filter (where market_rank = 1) as favourite_place,
    string_agg(horse_no::text, '-' order by horse_no) filter (where won > 0) as winner_no,
    min(win_odds) filter (where won > 0) as winner_odds, min(market_rank) filter (where won > 0) as winner_market_rank,
    min(model_rank) filter (where won > 0) as winner_model_rank,
    avg(profit_cents + 1000) filter (where outcome = 'hit') as win_dividend
  from (select p.*, bet.place from reference_starter_row p join reference_win_bet bet using (race_id, horse_no)) as p
  where p.model_id = 'fundamental' and p.origin = 'backtest' group by p.race_id`

const FAVOURITE_EDGES = [1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 50]
const OF_RACES: typeof RUNNER_MORE = {
  favourite_odds: { sql: band('f.favourite_odds', FAVOURITE_EDGES), value: 'f.favourite_odds' },
  first_is_favourite: { sql: '(p.market_rank = 1)' },
  contenders: { sql: band('f.contenders', [1, 2, 3, 4, 5, 6, 7, 8, 9]), value: 'f.contenders' },
}
const MORE: typeof RUNNER_MORE = { ...RUNNER_MORE, ...OF_RACES }

const OF_RUNNERS_TOO = [
  ...Object.keys(REFERENCE).slice(0, Object.keys(REFERENCE).indexOf('bet_type')),
  'leaders',
  'going_change',
  'outcome',
  'model',
  'origin',
  'probability',
  'odds',
  'odds_move',
  'value',
  'favourite_rank',
  'market_rank',
]
export const RACE_REFERENCE_DIMENSIONS = [...OF_RUNNERS_TOO, ...Object.keys(OF_RACES)]

/** An expression over the first choice instead of a starter. */
const ofChoice = (sql: string): string => sql.replaceAll(/\bp\./g, 'c.')
const dimensionSql = (dim: string): string => ofChoice(OF_RACES[dim]?.sql ?? RUNNER_DIMENSION_SQL[dim]!)

const FIRST = 'p.model_rank = 1'
const HIT = `p.outcome = 'hit'`
const PLAYED = `p.outcome <> 'void'`
const sum = (value: string, condition = 'true'): string =>
  `coalesce(sum(${value}) filter (where ${FIRST} and ${condition}), 0)`
const count = (condition = 'true'): string => `count(*) filter (where ${FIRST} and ${condition})`
const mean = (value: string, condition = 'true'): string =>
  `avg(${value}) filter (where ${FIRST} and ${condition})`
const PAID = `${HIT} and p.profit_cents is not null and p.market is not null`

const FIELD = /^(favourite|random)_|^(races|meetings|brier|log_loss|r2|r2_market|r2_gain)$/
const PICK =
  /^pick_(hits|unknown|unknown_hits|staked|profit|profit_worst|profit_best|return|return_worst|return_best)$/
const runnersMeasures = (pattern: RegExp): [string, string][] =>
  Object.entries(RUNNER_REFERENCE_MEASURES).filter(([name]) => pattern.test(name))

/** Measures of races, as PostgreSQL computes them. */
export const RACE_REFERENCE_MEASURES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(runnersMeasures(FIELD)),
  ...Object.fromEntries(runnersMeasures(PICK).map(([name, sql]) => [name.replace('pick_', ''), sql])),
  voids: count(`not (${PLAYED})`),
  hit_rate: share(count(HIT), count(PLAYED)),
  chance_hits: sum('1.0 / p.interests', PLAYED),
  chance_rate: share(sum('1.0 / p.interests', PLAYED), count(PLAYED)),
  mean_odds: mean('p.win_odds'),
  closing_value: mean('p.opening_odds / p.win_odds - 1'),
  paid_fair: share(sum('p.profit_cents + 1000', PAID), sum('1000 / p.market', PAID)),
  winners: sum('p.won'),
  expected: sum('p.probability'),
  expected_market: sum('p.market'),
  market_hits: sum('p.won', 'p.market is not null'),
  ae: share(sum('p.won'), sum('p.probability')),
  ae_market: share(sum('p.won', 'p.market is not null'), sum('p.market')),
  impact: share(sum('p.won'), sum('1.0 / p.interests')),
  mean_probability: mean('p.probability'),
  mean_field: mean('p.field_size'),
  mean_winner_odds: mean(single('f.winner_odds')),
  mean_win_dividend: mean('f.win_dividend'),
  mean_contenders: mean('f.contenders'),
  contender_rate: mean('f.won_of_contenders'),
  contender_chance: mean('f.contender_chance'),
  top_three_rate: mean('f.won_of_three', 'f.priced'),
}

const COLUMNS: typeof RACE_REFERENCE_MEASURES = {
  ...RACE_REFERENCE_MEASURES,
  [BET_LIST]: betsSql('p.horse_no', FIRST),
}

/** The whole query for PostgreSQL: groups as `k0…`, then the measures. */
export function raceReferenceSql(
  by: readonly string[],
  measures: readonly string[],
  where: Filter | null,
): string {
  const keys = by.map((dim, index) => `${dimensionSql(dim)} as k${index}`)
  const figures = measures.map((name) => `${COLUMNS[name]!} as ${name}`)
  return `select ${[...keys, ...figures].join(', ')}
    from reference_starter_row c join reference_starter r on r.race_id = c.race_id and r.horse_no = c.horse_no
    left join reference_detail d on d.race_id = r.race_id and d.horse_id = r.horse_id
    join reference_race f on f.race_id = c.race_id and f.model_id = c.model_id
    join reference_starter_row p on p.race_id = c.race_id and p.model_id = c.model_id
    where c.model_rank = 1 and ${ofChoice(referenceCondition(where, MORE))}
    ${by.length === 0 ? '' : `group by ${by.map((_, index) => `k${index}`).join(', ')}`}`
}
