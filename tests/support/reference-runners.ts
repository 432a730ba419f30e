import type { Filter } from '../../analytics/filter.ts'
import { BET_LIST, betsSql } from './reference-bets.ts'
import { REGION } from './reference-chances.ts'
import { band, REFERENCE, referenceCondition, share, single, type MoreDimensions } from './reference-sql.ts'

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

/** Lengths behind the winner of the last run; those that are published in words by their usual lengths. */
const LAST_MARGIN = `case when last.place = 1 then 0 when last.margin ~ '^[0-9]+([.][0-9]+)?$' then last.margin::float8
  when last.margin ~ '^([0-9]+-)?[13]/[24]$' then coalesce(substring(last.margin from '^([0-9]+)-')::float8, 0)
    + substring(last.margin from '([13])/')::float8 / substring(last.margin from '([24])$')::float8
  else (select length from (values ('鼻位', 0.05), ('nse', 0.05), ('短馬頭位', 0.1), ('sh', 0.1), ('shd', 0.1), ('頭位', 0.2),
    ('hd', 0.2), ('頸位', 0.3), ('n', 0.3), ('nk', 0.3)) as usual (word, length) where word = lower(last.margin)) end`

/**
 * What each starter had done before its race, looked up run by run among the races of earlier days: the builder of the files
 * uses windows over all runs instead.
 */
const DETAILS = `create table reference_run as
  select r.race_id, r.horse_id, r.jockey_id, race.race_date, race.stadium_id, race.track, race.going, race.distance_m,
    race.race_class, r.place, r.margin, r.rating, r.actual_weight_lb, r.declared_weight_lb,
    (regexp_match(r.running_position, '^[[:space:]]*([0-9]+)'))[1]::float8 as first_call,
    (select count(*) from runner other where other.race_id = r.race_id and other.horse_no is not null
      and other.status <> 'withdrawn') as starters
  from runner r join race on race.id = r.race_id
  where race.region_id = '${REGION}' and race.status = 'final' and r.horse_no is not null and r.status <> 'withdrawn';
  create index on reference_run (horse_id, race_date);
  create index on reference_run (race_id);
  create table reference_detail as
  select now.race_id, now.horse_id,
    last.place as last_place, (select place from reference_run e where e.horse_id = now.horse_id
      and e.race_date < last.race_date order by e.race_date desc limit 1) as place_before_last,
    ${LAST_MARGIN} as last_margin,
    last.distance_m as last_distance, last.race_class as last_class,
    case when now.race_class ~ '^[CG][1-9]' and last.race_class ~ '^[CG][1-9]' then sign(
      case when last.race_class like 'G%' then 0 else substring(last.race_class, 2, 1)::int end
      - case when now.race_class like 'G%' then 0 else substring(now.race_class, 2, 1)::int end) end as class_move,
    now.distance_m - last.distance_m as distance_change, now.rating - last.rating as rating_change,
    now.actual_weight_lb - last.actual_weight_lb as weight_change,
    now.declared_weight_lb - last.declared_weight_lb as body_weight_change,
    now.jockey_id <> last.jockey_id as jockey_change, now.stadium_id <> last.stadium_id as racecourse_change,
    now.track <> last.track as surface_change,
    case when now.jockey_id is not null then (select count(*) from reference_run e where e.horse_id = now.horse_id
      and e.jockey_id = now.jockey_id and e.race_date < now.race_date) end as rides_together,
    (select count(*) from reference_run e where e.horse_id = now.horse_id and e.race_date <= now.race_date
      and e.race_date >= (select max(f.race_date) from reference_run f where f.horse_id = now.horse_id
        and f.race_date <= now.race_date and not exists (select 1 from reference_run g where g.horse_id = now.horse_id
          and g.race_date < f.race_date and g.race_date > f.race_date - 60))) as run_after_break,
    won.career_wins, case when now.track is not null then won.course_wins end as course_wins,
    case when now.distance_m is not null then won.distance_wins end as distance_wins,
    case when now.going is not null then won.going_wins end as going_wins,
    ${single(`(select avg(least(1, (e.first_call - 1) / (e.starters - 1))) from (select * from reference_run f
      where f.horse_id = now.horse_id and f.race_date < now.race_date order by f.race_date desc limit 4) as e
      where e.starters > 1 and e.first_call is not null)`)} as early_position
  from reference_run now
  left join lateral (
    select * from reference_run e where e.horse_id = now.horse_id and e.race_date < now.race_date
    order by e.race_date desc limit 1
  ) as last on true
  cross join lateral (
    select count(*) as career_wins,
      count(*) filter (where e.stadium_id = now.stadium_id and e.track = now.track) as course_wins,
      count(*) filter (where e.distance_m = now.distance_m) as distance_wins,
      count(*) filter (where e.going = now.going) as going_wins
    from reference_run e where e.horse_id = now.horse_id and e.race_date < now.race_date and e.place = 1
  ) as won;
  create index on reference_detail (race_id, horse_id);`

/**
 * How each runner with sections ran, and the pars of days before its race: looked up section by section, where the builder of the
 * files reads all pars of a season at once.
 */
const AS_RUN = `create table reference_section_par as
  select race.id as race_id, race.distance_m, no.section_no, count.sections,
    (select case when count(*) >= 5 then (sum(m.median_ms) filter (where alike.it)
        + 10 * avg(m.median_ms)) / (10 + count(*) filter (where alike.it)) end
      from race_section m join race past on past.id = m.race_id
      cross join lateral (select (past.course, past.going) is not distinct from (race.course, race.going) as it) as alike
      where m.section_no = no.section_no and past.status = 'final' and past.race_date < race.race_date
        and past.stadium_id = race.stadium_id and past.distance_m = race.distance_m
        and coalesce(past.track, '') = coalesce(race.track, '')
    ) as shrunk,
    (select case when count(*) >= 5 then avg(m.median_ms) end
      from race_section m join race past on past.id = m.race_id
      where m.section_no = no.section_no and past.status = 'final' and past.race_date < race.race_date
        and past.stadium_id = race.stadium_id and past.distance_m = race.distance_m
        and coalesce(past.track, '') = coalesce(race.track, '')) as mean
  from race
  cross join lateral (select max(section_no) as sections from section where section.race_id = race.id) as count
  cross join lateral generate_series(1, count.sections) as no (section_no)
  where race.region_id = '${REGION}' and race.status = 'final';
  create index on reference_section_par (race_id);
  create table reference_as_run as
  select ran.race_id, ran.horse_no, ran.first_position,
    case when ran.timed = ran.sections and ran.sections > 1 and ran.distance_m > 400 * (ran.sections - 1)
      then ${single('(400 * ran.total_ms)::float8 / (ran.last_ms * ran.distance_m::float8)')} end as finishing,
    case when ran.timed = ran.sections and ran.sections > 2 and ran.early_pars = ran.sections - 2
      then ran.early_ms::float8 end as early_ms,
    case when ran.timed = ran.sections and ran.sections > 2 and ran.early_pars = ran.sections - 2
      then ${single('ran.early_par')} end as early_par,
    case when ran.timed = ran.sections then ran.last_ms::float8 end as late_ms,
    case when ran.timed = ran.sections then ${single('ran.late_par')} end as late_par
  from (
    select s.race_id, s.horse_no, par.sections, par.distance_m, count(s.time_ms) as timed, sum(s.time_ms) as total_ms,
      max(s.position) filter (where s.section_no = 1) as first_position,
      max(s.time_ms) filter (where s.section_no = par.sections) as last_ms,
      sum(s.time_ms) filter (where s.section_no < par.sections - 1) as early_ms,
      count(coalesce(par.shrunk, par.mean)) filter (where s.section_no < par.sections - 1) as early_pars,
      sum(coalesce(par.shrunk, par.mean)) filter (where s.section_no < par.sections - 1) as early_par,
      max(coalesce(par.shrunk, par.mean)) filter (where s.section_no = par.sections) as late_par
    from section s join reference_section_par par on par.race_id = s.race_id and par.section_no = s.section_no
    group by 1, 2, 3, 4
  ) as ran;
  create index on reference_as_run (race_id, horse_no);`

/** A place bet on each interest by decisions section 2, as `WIN_BETS` does for wins. */
const PLACE_BETS = `create table reference_place_bet as
  select bet.race_id, bet.horse_no,
    case when race.places = 0 then null when bet.started is not true or pool.is_refunded or own.status = 'refund' then 'void'
      when own.dividend_cents is not null or bet.place <= race.places then 'hit' else 'miss' end as outcome,
    case when race.places = 0 then null when bet.started is not true or pool.is_refunded or own.status = 'refund' then 0
      when own.dividend_cents is not null then own.dividend_cents - 1000
      when bet.place <= race.places or pool.lines = 0 then null else -1000 end as profit_cents,
    ${single('market.chance')} as chance
  from (
    select r.race_id, coalesce(r.entry_no, r.horse_no) as horse_no, min(r.place) as place,
      bool_or(r.status <> 'withdrawn') as started
    from runner r join race on race.id = r.race_id
    where race.region_id = '${REGION}' and race.status = 'final' and r.horse_no is not null group by 1, 2
  ) as bet join race on race.id = bet.race_id
  cross join lateral (
    select count(*) as lines, coalesce(bool_or(status = 'refund' and combination !~ '[0-9]'), false) as is_refunded
    from dividend d where d.race_id = bet.race_id and d.gameplay_class = 2
  ) as pool
  left join dividend own on own.race_id = bet.race_id and own.gameplay_class = 2
    and own.combination = bet.horse_no::text
  left join (
    select race_id, horse_no, sum(chance) as chance
    from first_three o cross join lateral unnest((array[a, b, c])[1:places]) as horse_no group by 1, 2
  ) as market on market.race_id = bet.race_id and market.horse_no = bet.horse_no;
  create index on reference_place_bet (race_id, horse_no);`

/** Every starter by each model, with the names that the dimensions of `REFERENCE` have for what they need. */
export const RUNNER_REFERENCE_VIEWS = `${WIN_BETS}
  ${PLACE_BETS}
  ${DETAILS}
  ${AS_RUN}
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
    )::int end as favourite_rank,
    placed.outcome as place_outcome, placed.profit_cents as place_profit, placed.chance as place_chance
  from win_chance c join race on race.id = c.race_id join stadium on stadium.id = race.stadium_id
  join reference_win_bet bet on bet.race_id = c.race_id and bet.horse_no = c.horse_no
  join reference_starter r on r.race_id = c.race_id and r.horse_no = c.horse_no
  join reference_place_bet placed on placed.race_id = c.race_id and placed.horse_no = c.horse_no
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
const OF_PREDICTIONS = new Set(['bet_type', 'prediction_type', 'rank', 'market_ranks'])
/** Dimensions that only runners have, as expressions over a row `p`. */
const OF_RUNNERS: Readonly<Record<string, string>> = {
  model_rank: 'p.model_rank',
  market_rank: 'p.market_rank',
  rank_difference: '(p.market_rank - p.model_rank)',
}
/** Columns of `reference_detail` that are dimensions as they are, and those in bands with their edges. */
const PLAIN_DETAILS = [
  'last_place',
  'place_before_last',
  'last_distance',
  'last_class',
  'jockey_change',
  'racecourse_change',
  'surface_change',
]
const PROBABILITIES = [0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4]
const WINS = [0, 1, 2, 3, 5, 8]
const CHANGES = [-150, -10, -5, 0, 5, 10]
const DETAIL_BANDS: Readonly<Record<string, readonly number[]>> = {
  distance_change: [-4000, -400, -200, 0, 200, 400],
  rating_change: CHANGES,
  weight_change: CHANGES,
  body_weight_change: [-500, -20, -10, 0, 10, 20],
  rides_together: [0, 1, 2, 4, 7, 11],
  run_after_break: [1, 2, 3, 4, 6, 9],
  career_wins: WINS,
  course_wins: WINS,
  distance_wins: WINS,
  going_wins: WINS,
  early_position: [0, 0.25, 0.5, 0.75],
}
const inWords = (sql: string, [less, same, more]: readonly [string, string, string]): string =>
  `case when ${sql} < 0 then '${less}' when ${sql} = 0 then '${same}' when ${sql} > 0 then '${more}' end`
const FROM_FIRMEST = `array['firm', 'good_to_firm', 'good', 'good_to_yielding', 'yielding', 'yielding_to_soft', 'soft', 'heavy']`
/** The going against that of the first race of the day on the same racecourse and surface. */
const GOING_CHANGE = `(select case when o.going = p.going then 'same'
    when array_position(${FROM_FIRMEST}, p.going) > array_position(${FROM_FIRMEST}, o.going) then 'softer'
    when array_position(${FROM_FIRMEST}, p.going) < array_position(${FROM_FIRMEST}, o.going) then 'firmer' end
  from race o join race own on own.id = p.race_id where o.stadium_id = own.stadium_id and o.race_date = own.race_date
    and o.track is not distinct from own.track and o.going is not null order by o.race_no limit 1)`
/** The chance by a model as the files have it: to four decimals. */
const chanceBy = (
  model: string,
): string => `(select round(c.probability::numeric, 4)::float8 from win_chance c
  where c.race_id = p.race_id and c.horse_no = p.horse_no and c.model_id = '${model}')`
/** The largest chance by one of our models less the smallest. */
const MODEL_SPREAD = `(select case when count(*) > 1
    then (max(round(c.probability::numeric, 4)) - min(round(c.probability::numeric, 4)))::float8 end from win_chance c
  where c.race_id = p.race_id and c.horse_no = p.horse_no and c.model_id in ('fundamental', 'network', 'blended'))`

/** Dimensions over a row `d` of `reference_detail`. */
const OF_DETAILS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PLAIN_DETAILS.map((name) => [name, `d.${name}`])),
  ...Object.fromEntries(
    Object.entries(DETAIL_BANDS).map(([name, edges]) => [name, band(`d.${name}::float8`, edges)]),
  ),
  sire: 'r.sire',
  dam_sire: 'r.dam_sire',
  age: 'r.age',
  sex: 'r.sex',
  owner: 'r.owner',
  country: 'r.country',
  draw_third: `case when ceil(r.draw * 3.0 / p.field_size) <= 1 then 'low'
    when ceil(r.draw * 3.0 / p.field_size) = 2 then 'middle' when r.draw is not null then 'high' end`,
  last_margin: band('d.last_margin::float8', [0, 0.05, 1, 2, 4, 6, 10]),
  going_change: GOING_CHANGE,
  chance_blended: band(chanceBy('blended'), PROBABILITIES),
  chance_fundamental: band(chanceBy('fundamental'), PROBABILITIES),
  chance_network: band(chanceBy('network'), PROBABILITIES),
  model_spread: band(MODEL_SPREAD, [0, 0.01, 0.02, 0.04, 0.06, 0.1]),
  class_move: inWords('d.class_move', ['down', 'same', 'up']),
  distance_move: inWords('d.distance_change', ['shorter', 'same', 'longer']),
  running_style: `case when d.early_position < 0.25 then 'leader' when d.early_position < 0.5 then 'prominent'
    when d.early_position < 0.75 then 'midfield' when d.early_position is not null then 'behind' end`,
  leaders: `case when d.race_id is not null then (select count(*) from reference_detail o
    where o.race_id = p.race_id and o.early_position < 0.25) end`,
  new_gear: `case when r.marked is not null then coalesce((select string_agg(left(item, -1), '/' order by at)
    from unnest(string_to_array(r.marked, '/')) with ordinality as worn (item, at) where item like '%1'), '') end`,
}
const AGAINST_PAR = [-1, -0.04, -0.02, -0.01, 0, 0.01, 0.02, 0.04]
const FIRST_POSITION = '(a.first_position - 1.0) / (p.field_size - 1)'
/** Dimensions over a row `a` of `reference_as_run`. */
const OF_SECTIONS: Readonly<Record<string, string>> = {
  run_style: `case when a.first_position is null or p.field_size < 2 then null when ${FIRST_POSITION} < 0.25 then 'leader'
    when ${FIRST_POSITION} < 0.5 then 'prominent' when ${FIRST_POSITION} < 0.75 then 'midfield' else 'behind' end`,
  run_early_pace: band('(a.early_par - a.early_ms) / a.early_ms', AGAINST_PAR),
  run_late_pace: band('(a.late_par - a.late_ms) / a.late_ms', AGAINST_PAR),
  run_finishing_speed: band('a.finishing', [0, 0.94, 0.96, 0.98, 1, 1.02, 1.04, 1.06]),
}
/** Dimensions of runners, as expressions over a row `p` and its horse `r`. */
export const RUNNER_DIMENSION_SQL: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(REFERENCE).filter(([name]) => !OF_PREDICTIONS.has(name))),
  ...OF_RUNNERS,
  ...OF_DETAILS,
  ...OF_SECTIONS,
}
export const RUNNER_DIMENSIONS = Object.keys(RUNNER_DIMENSION_SQL)

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
const PLACE_HIT = `p.place_outcome = 'hit'`
const PLACE_PLAYED = `p.place_outcome <> 'void'`
const PLACE_UNKNOWN = 'p.place_outcome is not null and p.place_profit is null'
const counted = (condition: string): string => `count(*) filter (where ${condition})`
const PLACE_STAKED = `1000 * ${counted(`p.place_profit is not null and ${PLACE_PLAYED}`)}`
const PLACE_PROFIT = sum('p.place_profit', PLACE_PLAYED)
const PLACE_WORST = `(${PLACE_PROFIT} - 1000 * ${counted(`${PLACE_UNKNOWN} and not ${PLACE_HIT}`)})`
const PLACE_BEST = `(${PLACE_PROFIT} + ${sum('(1000 / coalesce(p.place_chance, 1) - 1000)', `${PLACE_UNKNOWN} and ${PLACE_HIT}`)})`
/** What hits of known dividend were paid, and what they would have been paid at the market line. */
const PAID = `${HIT} and p.profit_cents is not null and p.market is not null`
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
  paid_fair: share(sum('p.profit_cents + 1000', PAID), sum('1000 / p.market', PAID)),
  place_bets: counted(PLACE_PLAYED),
  place_hits: counted(PLACE_HIT),
  place_unknown: counted(PLACE_UNKNOWN),
  place_unknown_hits: counted(`${PLACE_UNKNOWN} and ${PLACE_HIT}`),
  place_rate: share(counted(PLACE_HIT), counted(PLACE_PLAYED)),
  place_staked: PLACE_STAKED,
  place_profit: PLACE_PROFIT,
  place_profit_worst: PLACE_WORST,
  place_profit_best: PLACE_BEST,
  place_return: share(PLACE_PROFIT, PLACE_STAKED),
  place_return_worst: share(PLACE_WORST, `${PLACE_STAKED} + 1000 * ${counted(PLACE_UNKNOWN)}`),
  place_return_best: share(
    PLACE_BEST,
    `${PLACE_STAKED} + 1000 * ${counted(`${PLACE_UNKNOWN} and ${PLACE_HIT}`)}`,
  ),
  place_ae_market: share(
    counted(`${PLACE_HIT} and p.place_chance is not null`),
    sum('p.place_chance', PLACE_PLAYED),
  ),
  with_sections: counted('a.horse_no is not null'),
  without_sections: counted('a.horse_no is null'),
  finishing_speed: 'avg(a.finishing)',
  early_seconds: 'avg(a.early_par - a.early_ms) / 1000',
  late_seconds: 'avg(a.late_par - a.late_ms) / 1000',
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

export const RUNNER_MORE: MoreDimensions = Object.fromEntries(
  Object.entries({ ...OF_RUNNERS, ...OF_DETAILS, ...OF_SECTIONS }).map(([name, sql]) => [
    name,
    Object.hasOwn(DETAIL_BANDS, name) ? { sql, value: `d.${name}` } : { sql },
  ]),
)

const COLUMNS: typeof RUNNER_REFERENCE_MEASURES = {
  ...RUNNER_REFERENCE_MEASURES,
  [BET_LIST]: betsSql('p.horse_no'),
}

/** The whole query for PostgreSQL: groups as `k0…`, then the measures. */
export function starterReferenceSql(
  by: readonly string[],
  measures: readonly string[],
  where: Filter | null,
): string {
  const keys = by.map((dim, index) => `${RUNNER_DIMENSION_SQL[dim]!} as k${index}`)
  const figures = measures.map((name) => `${COLUMNS[name]!} as ${name}`)
  return `select ${[...keys, ...figures].join(', ')}
    from reference_starter_row p join reference_starter r on r.race_id = p.race_id and r.horse_no = p.horse_no
    left join reference_detail d on d.race_id = r.race_id and d.horse_id = r.horse_id
    left join reference_as_run a on a.race_id = r.race_id and a.horse_no = r.horse_no
    where ${referenceCondition(where, RUNNER_MORE)}
    ${by.length === 0 ? '' : `group by ${by.map((_, index) => `k${index}`).join(', ')}`}`
}
