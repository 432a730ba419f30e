import type { Filter } from '../../analytics/filter.ts'
import { REGION } from './reference-chances.ts'
import { REFERENCE, referenceCondition, share, single } from './reference-sql.ts'

/**
 * A second implementation of the model of starters as SQL over PostgreSQL's own tables, with the tables of
 * `REFERENCE_VIEWS`: it shares nothing with `analytics/` and nothing with the builder of the files.
 */

/**
 * A win bet on each interest by decisions section 2. An interest is a horse, or an entry of several under its lowest
 * number, which runs as long as one of them does.
 */
const WIN_BETS = `create table reference_win_bet as
  select ran.race_id, ran.horse_no, ran.place,
    case when not ran.started or pool.is_refunded or own.status = 'refund' then 'void'
      when own.dividend_cents is not null or ran.place = 1 then 'hit' else 'miss' end as outcome,
    case when not ran.started or pool.is_refunded or own.status = 'refund' then 0
      when own.dividend_cents is not null then own.dividend_cents - 1000
      when ran.place = 1 or pool.lines = 0 then null else -1000 end as profit_cents
  from (
    select r.race_id, coalesce(r.entry_no, r.horse_no) as horse_no, min(r.place) as place,
      bool_or(r.status <> 'withdrawn') as started
    from runner r join race on race.id = r.race_id
    where race.region_id = '${REGION}' and race.status = 'final' and r.horse_no is not null group by 1, 2
  ) as ran
  cross join lateral (
    select count(*) as lines, coalesce(bool_or(status = 'refund' and combination !~ '[0-9]'), false) as is_refunded
    from dividend d where d.race_id = ran.race_id and d.gameplay_class = 1
  ) as pool
  left join dividend own on own.race_id = ran.race_id and own.gameplay_class = 1
    and own.combination = ran.horse_no::text;
  create index on reference_win_bet (race_id, horse_no);`

/** Every starter by each model, with the names that the dimensions of `REFERENCE` have for what they need. */
export const RUNNER_REFERENCE_VIEWS = `${WIN_BETS}
  create table reference_starter_row as
  select c.race_id, c.model_id, c.horse_no, ${single('c.probability')} as probability,
    ${single('market.probability')} as market, count(*) over line as interests,
    row_number() over (line order by c.probability desc, c.horse_no) as model_rank, market.rank as market_rank,
    ${single('case when bet.place = 1 then 1.0 / count(*) filter (where bet.place = 1) over line else 0 end')} as won,
    bet.outcome, bet.profit_cents, race.race_date, race.season, race.race_no, race.course, race.track, race.going,
    race.distance_m, race.race_class, stadium.key as stadium_key,
    (select count(*) from runner where runner.race_id = race.id and runner.horse_no is not null
      and status <> 'withdrawn')::int as field_size,
    case when exists (select 1 from prediction_lock l where l.race_id = c.race_id and l.model_id = c.model_id)
      then case when exists (select 1 from broken_lock b where b.race_id = c.race_id and b.model_id = c.model_id)
        then 'changed' else 'locked' end else 'backtest' end as origin,
    ${single('r.win_odds')} as win_odds, ${single('r.opening_odds')} as opening_odds,
    case when r.win_odds is not null then 1 + (
      select count(*) from reference_starter other
      where other.race_id = c.race_id and other.started and other.leads and other.win_odds < r.win_odds
    )::int end as favourite_rank
  from win_chance c join race on race.id = c.race_id join stadium on stadium.id = race.stadium_id
  join reference_win_bet bet on bet.race_id = c.race_id and bet.horse_no = c.horse_no
  join reference_starter r on r.race_id = c.race_id and r.horse_no = c.horse_no
  left join (
    select race_id, horse_no, probability,
      row_number() over (partition by race_id order by probability desc, horse_no) as rank
    from win_chance where model_id = 'market-baseline'
  ) as market on market.race_id = c.race_id and market.horse_no = c.horse_no
  where race.region_id = '${REGION}' and race.status = 'final'
  window line as (partition by c.race_id, c.model_id);
  create index on reference_starter_row (model_id, origin);
  analyze reference_starter_row;`

/** Dimensions that only predictions have. */
const OF_PREDICTIONS = new Set(['bet_type', 'prediction_type', 'rank'])
/** Dimensions that only runners have, as expressions over a row `p`. */
const OF_RUNNERS: Readonly<Record<string, string>> = {
  model_rank: 'p.model_rank',
  market_rank: 'p.market_rank',
  rank_difference: '(p.market_rank - p.model_rank)',
}
/** Dimensions of runners, as expressions over a row `p` and its horse `r`. */
const DIMENSIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(REFERENCE).filter(([name]) => !OF_PREDICTIONS.has(name))),
  ...OF_RUNNERS,
}
export const RUNNER_DIMENSIONS = Object.keys(DIMENSIONS)

const sum = (value: string, condition = 'true'): string =>
  `coalesce(sum(${value}) filter (where ${condition}), 0)`
const RACES = 'count(distinct p.race_id)'
/** Bets of known profit that were not void. */
const KNOWN = `p.profit_cents is not null and p.outcome <> 'void'`
const PRICED = 'p.market is not null'
const staked = (condition: string): string => `1000 * count(*) filter (where ${KNOWN} and ${condition})`
const profit = (condition: string): string => sum('p.profit_cents', `${KNOWN} and ${condition}`)
/** Log loss: of each winner, minus the logarithm of its probability. */
const loss = (probability: string, condition = 'true'): string =>
  sum(`-p.won * ln(${probability})`, `p.won > 0 and ${condition}`)
/** Log loss of a draw among equals. */
const equalLoss = (condition = 'true'): string => sum('p.won * ln(p.interests)', condition)
/** As for predictions: a horse that shares the win is a hit. */
const HIT = `p.outcome = 'hit'`
const PLAYED = `p.outcome <> 'void'`
const PICK = 'p.model_rank = 1'
const FAVOURITE = 'p.market_rank = 1'
const CHANCE = sum('1.0 / p.interests')

/** Bets of HK$10 on the starters that meet a condition, each counted with a weight. */
function betReference(condition: string, weight: string): Record<string, string> {
  const of = (value: string, rows: string): string => sum(`${value} * ${weight}`, `${condition} and ${rows}`)
  const unknown = of('1', 'p.profit_cents is null')
  const unknownHits = of('1', `p.profit_cents is null and ${HIT}`)
  const [stakes, won] = [of('1000', KNOWN), of('p.profit_cents', KNOWN)]
  const worst = `(${won} - ${of('1000', `p.profit_cents is null and not ${HIT}`)})`
  const fair = of('(1000 / coalesce(p.market, p.probability) - 1000)', `p.profit_cents is null and ${HIT}`)
  return {
    bets: of('1', PLAYED),
    hits: of('1', HIT),
    unknown,
    unknown_hits: unknownHits,
    rate: share(of('1', HIT), of('1', PLAYED)),
    staked: stakes,
    profit: won,
    profit_worst: worst,
    profit_best: `(${won} + ${fair})`,
    return: share(won, stakes),
    return_worst: share(worst, `${stakes} + 1000 * ${unknown}`),
    return_best: share(`${won} + ${fair}`, `${stakes} + 1000 * ${unknownHits}`),
  }
}

const UNKNOWN = 'p.profit_cents is null'
const PLACED = `count(*) filter (where ${PLAYED})`
/** Of a bet on every runner: winners of unknown dividend pay their stake back, or the fair price. */
const WORST = `(${profit('true')} - 1000 * count(*) filter (where ${UNKNOWN} and not ${HIT}))`
const BEST = `(${profit('true')} + ${sum('(1000 / coalesce(p.market, p.probability) - 1000)', `${UNKNOWN} and ${HIT}`)})`

/** Measures of runners, as PostgreSQL computes them. */
export const RUNNER_REFERENCE_MEASURES: Readonly<Record<string, string>> = {
  runners: 'count(*)',
  races: RACES,
  meetings: 'count(distinct (p.race_date, p.stadium_key))',
  winners: sum('p.won'),
  expected: sum('p.probability'),
  expected_market: sum('p.market'),
  win_rate: 'avg(p.won)',
  mean_probability: 'avg(p.probability)',
  mean_market_probability: 'avg(p.market)',
  market_win_rate: `avg(p.won) filter (where ${PRICED})`,
  mean_odds: 'avg(p.win_odds)',
  hits: `count(*) filter (where ${HIT})`,
  voids: `count(*) filter (where not (${PLAYED}))`,
  unknown: `count(*) filter (where ${UNKNOWN})`,
  unknown_hits: `count(*) filter (where ${UNKNOWN} and ${HIT})`,
  hit_rate: share(`count(*) filter (where ${HIT})`, PLACED),
  chance_rate: share(sum('1.0 / p.interests', PLAYED), PLACED),
  chance_hits: sum('1.0 / p.interests', PLAYED),
  market_hits: sum('p.won', PRICED),
  profit_worst: WORST,
  profit_best: BEST,
  return_worst: share(WORST, `${staked('true')} + 1000 * count(*) filter (where ${UNKNOWN})`),
  return_best: share(BEST, `${staked('true')} + 1000 * count(*) filter (where ${UNKNOWN} and ${HIT})`),
  closing_value: 'avg(p.opening_odds / p.win_odds - 1)',
  ae: share(sum('p.won'), sum('p.probability')),
  ae_market: share(sum('p.won', PRICED), sum('p.market')),
  impact: share(sum('p.won'), CHANCE),
  staked: staked('true'),
  profit: sum('p.profit_cents'),
  return: share(profit('true'), staked('true')),
  brier: share(sum('(p.probability - p.won) ^ 2'), RACES),
  log_loss: share(loss('p.probability'), RACES),
  r2: `1 - ${share(loss('p.probability'), equalLoss())}`,
  r2_market: `1 - ${share(loss('p.market', PRICED), equalLoss(PRICED))}`,
  r2_gain: share(`${loss('p.market', PRICED)} - ${loss('p.probability', PRICED)}`, equalLoss(PRICED)),
  pick_closing: `avg(p.opening_odds / p.win_odds - 1) filter (where ${PICK})`,
  ...Object.fromEntries(
    [
      { bet: 'pick', condition: PICK, weight: '1' },
      { bet: 'favourite', condition: FAVOURITE, weight: '1' },
      { bet: 'random', condition: 'true', weight: '(1.0::float8 / p.interests)' },
    ].flatMap(({ bet, condition, weight }) =>
      Object.entries(betReference(condition, weight)).map(([name, sql]) => [`${bet}_${name}`, sql]),
    ),
  ),
}

/** The whole query for PostgreSQL: groups as `k0…`, then the measures. */
export function starterReferenceSql(
  by: readonly string[],
  measures: readonly string[],
  where: Filter | null,
): string {
  const keys = by.map((dim, index) => `${DIMENSIONS[dim]!} as k${index}`)
  const figures = measures.map((name) => `${RUNNER_REFERENCE_MEASURES[name]!} as ${name}`)
  return `select ${[...keys, ...figures].join(', ')}
    from reference_starter_row p join reference_starter r on r.race_id = p.race_id and r.horse_no = p.horse_no
    where ${referenceCondition(where)}
    ${by.length === 0 ? '' : `group by ${by.map((_, index) => `k${index}`).join(', ')}`}`
}
