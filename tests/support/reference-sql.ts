import type { Filter } from '../../analytics/filter.ts'
import type { Scalar } from '../../analytics/model.ts'
import { camelCase } from '../../domain/camel-case.ts'
import { BET_LIST, betsSql, isOfBets, ofBets } from './reference-bets.ts'
import { REFERENCE_CHANCES, REGION } from './reference-chances.ts'

/**
 * A second implementation of the semantic model's dimensions and measures, as SQL over PostgreSQL's own tables: it
 * shares nothing with `analytics/`, so that the two can be compared.
 */

/** Probabilities and odds are 32-bit numbers in the dataset files. */
export const single = (sql: string): string => `(${sql})::real::float8`

/**
 * The settled predictions with the facts of their races, and every starter with its own facts, created once: otherwise
 * every query would look them up for each of its rows.
 */
export const REFERENCE_VIEWS = `${REFERENCE_CHANCES}
  create table reference_starter as
  select r.race_id, r.horse_no, horse.key as horse, jockey.key as jockey, trainer.key as trainer, r.draw, r.rating,
    r.actual_weight_lb as weight_carried, r.declared_weight_lb as body_weight, r.win_odds, first_seen.odds as opening_odds,
    r.gear as marked, r.status <> 'withdrawn' as started, coalesce(r.entry_no, r.horse_no) = r.horse_no as leads,
    case when r.gear is not null then coalesce((select string_agg(regexp_replace(item, '[12]$', ''), '/' order by at)
      from unnest(string_to_array(r.gear, '/')) with ordinality as worn (item, at) where item !~ '^$|-$'), '') end as gear,
    r.gear ~ '1(/|$)' as first_time_gear,
    case when r.status <> 'withdrawn' then race.race_date - before.last_day end as days_since_run,
    case when r.status <> 'withdrawn' then before.runs end as career_runs, r.horse_id,
    horse.sire, horse.dam_sire, horse.origin as country, r.sex, r.owner, coalesce(r.age, (
      select case when told > 0 then told end from (
        select horse.age - case when horse.origin in ('AR', 'AU', 'BR', 'CL', 'NZ', 'PE', 'UY', 'ZA')
          then (date_part('year', horse.age_on) + (date_part('month', horse.age_on) > 7)::int
            - date_part('year', race.race_date) - (date_part('month', race.race_date) > 7)::int)::int
          else (date_part('year', horse.age_on) - date_part('year', race.race_date))::int end as told
        where horse.origin similar to '[A-Z][A-Z]') as birthdays)) as age
  from runner r join race on race.id = r.race_id join horse on horse.id = r.horse_id
  left join jockey on jockey.id = r.jockey_id left join trainer on trainer.id = r.trainer_id
  left join lateral (
    select odds from odds_tick t where t.race_id = r.race_id and t.horse_no = r.horse_no order by seen_at limit 1
  ) as first_seen on true
  cross join lateral (
    select count(*)::int as runs, max(earlier.race_date) as last_day
    from runner ran join race earlier on earlier.id = ran.race_id
    where ran.horse_id = r.horse_id and ran.status <> 'withdrawn' and earlier.status = 'final'
      and earlier.race_date < race.race_date
  ) as before
  where race.region_id = '${REGION}' and race.status = 'final';
  create index on reference_starter (race_id, horse_no);

  create table reference_row as
  select p.race_id, p.model_id, p.gameplay_class, p.rank, string_to_array(p.combination, '-')::int[] as horses,
    ${single('p.probability')} as probability, ${single('market.chance')} as market, random.chance as random,
    p.selected, p.cautious, p.upset_guard, s.outcome, s.profit_cents, race.race_date, race.season, race.race_no,
    race.course, race.track, race.going, race.distance_m, race.race_class, stadium.key as stadium_key,
    (select count(*) from runner where runner.race_id = race.id and horse_no is not null
      and status <> 'withdrawn')::int as field_size,
    case when exists (select 1 from prediction_lock l where l.race_id = p.race_id and l.model_id = p.model_id)
      then case when exists (select 1 from broken_lock b where b.race_id = p.race_id and b.model_id = p.model_id)
        then 'changed' else 'locked' end else 'backtest' end as origin,
    ${single('alone.win_odds')} as win_odds, ${single('alone.opening_odds')} as opening_odds,
    case when alone.win_odds is not null then 1 + (
      select count(*) from reference_starter other
      where other.race_id = p.race_id and other.started and other.leads and other.win_odds < alone.win_odds
    )::int end as favourite_rank
  from prediction p join settlement s on s.race_id = p.race_id and s.model_id = p.model_id
    and s.gameplay_class = p.gameplay_class and s.rank = p.rank
  join race on race.id = p.race_id join stadium on stadium.id = race.stadium_id
  left join market_chance market on market.race_id = p.race_id and market.gameplay_class = p.gameplay_class
    and market.combination = p.combination
  left join random_chance random on random.race_id = p.race_id and random.gameplay_class = p.gameplay_class
  left join reference_starter alone on alone.race_id = p.race_id and alone.horse_no::text = p.combination
  where race.region_id = '${REGION}' and race.status = 'final';
  create index on reference_row (model_id, origin, gameplay_class);
  analyze reference_row; analyze reference_starter;`

/** The lower edge of the band that a value is in: the first band also has what is below its edge. */
export const band = (sql: string, edges: readonly number[]): string =>
  `(array[${edges.join(', ')}])[width_bucket(${sql}, array[${edges.slice(1).join(', ')}]::float8[]) + 1]::float8`

/** Values of the dimensions that are grouped by bands; a range applies to the value itself. */
const BANDED: Readonly<Record<string, { sql: string; edges: readonly number[] }>> = {
  probability: { sql: 'p.probability', edges: [0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4] },
  odds: { sql: 'p.win_odds', edges: [1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 50] },
  odds_move: {
    sql: '(p.win_odds / p.opening_odds - 1)',
    edges: [-1, -0.4, -0.25, -0.1, 0.1, 0.25, 0.5, 1],
  },
  value: {
    sql: single('p.probability::real * p.win_odds::real'),
    edges: [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2],
  },
  rating: { sql: 'r.rating::float8', edges: [0, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120] },
  weight_carried: { sql: 'r.weight_carried::float8', edges: [0, 112, 115, 118, 121, 124, 127, 130, 133] },
  body_weight: { sql: 'r.body_weight::float8', edges: [0, 950, 1000, 1050, 1100, 1150, 1200, 1250] },
  days_since_run: { sql: 'r.days_since_run::float8', edges: [0, 8, 15, 22, 29, 43, 61, 91, 181] },
  career_runs: { sql: 'r.career_runs::float8', edges: [0, 1, 2, 4, 7, 11, 21, 41] },
}

/** Ranks of the horses of a combination by the market line; NULL if one of them is not in it. */
const MARKET_RANKS = `(select case when count(line.rank) = count(*) then string_agg(line.rank::text, '-'
    order by case when p.gameplay_class in (5, 7, 9) then chosen.at else line.rank end) end
  from unnest(p.horses) with ordinality as chosen (horse_no, at)
  left join (
    select c.horse_no, row_number() over (order by c.probability desc, c.horse_no) as rank
    from win_chance c where c.race_id = p.race_id and c.model_id = 'market-baseline'
  ) as line on line.horse_no = chosen.horse_no)`

/** Each generated dimension as an expression over a row `p`; those of a horse are over its row `r`. */
export const REFERENCE: Readonly<Record<string, string>> = {
  day: `to_char(p.race_date, 'YYYY-MM-DD')`,
  meeting: `to_char(p.race_date, 'YYYY-MM-DD') || '/' || p.stadium_key`,
  month: `to_char(p.race_date, 'YYYY-MM')`,
  calendar_month: 'extract(month from p.race_date)::int',
  season: 'p.season',
  weekday: 'extract(isodow from p.race_date)::int',
  region: REGION,
  racecourse: 'p.stadium_key',
  course: 'p.course',
  track: 'p.track',
  going: 'p.going',
  distance: 'p.distance_m',
  class: 'p.race_class',
  race_no: 'p.race_no',
  field_size: 'p.field_size',
  bet_type: 'p.gameplay_class',
  prediction_type: 'kind.prediction_type',
  rank: 'p.rank',
  outcome: 'p.outcome',
  model: 'p.model_id',
  origin: 'p.origin',
  favourite_rank: 'p.favourite_rank',
  market_ranks: MARKET_RANKS,
  jockey: 'r.jockey',
  trainer: 'r.trainer',
  jockey_trainer: 'r.jockey * 32768 + r.trainer',
  horse: 'r.horse',
  draw: 'r.draw',
  gear: 'r.gear',
  first_time_gear: 'r.first_time_gear',
  ...Object.fromEntries(Object.entries(BANDED).map(([dim, { sql, edges }]) => [dim, band(sql, edges)])),
}

/** The only bet types for which a dimension or a measure is offered. */
export const OF_BET_TYPES: Readonly<Record<string, readonly number[]>> = {
  odds: [1],
  odds_move: [1],
  value: [1],
  favourite_rank: [1, 2],
  mean_odds: [1],
  closing_value: [1],
}

/** One row per horse of each combination. */
const HORSE_JOIN = `cross join lateral unnest(p.horses) as chosen (horse_no)
  join reference_starter r on r.race_id = p.race_id and r.horse_no = chosen.horse_no`
/** One row per prediction type: all ten, main, cautious and upset pick. */
const TYPE_JOIN = `cross join lateral unnest(array_remove(array[0, case when p.selected then 1 end,
  case when p.cautious then 2 end, case when p.upset_guard then 3 end], null)) as kind (prediction_type)`

const PLAYED = `p.outcome <> 'void'`
const HIT = `p.outcome = 'hit'`
/** Hits whose profit the published dividends do not tell, and the other bets that they do not tell. */
const UNKNOWN_HIT = `p.profit_cents is null and ${HIT}`
const UNKNOWN_OTHER = `p.profit_cents is null and not ${HIT}`
const STAKED = `1000 * count(*) filter (where p.profit_cents is not null and ${PLAYED})`
const PROFIT = 'coalesce(sum(p.profit_cents), 0)'
const BETS = `count(*) filter (where ${PLAYED})`
const HITS = `count(*) filter (where ${HIT})`
/** At worst, unknown hits return their stake and every other unknown bet loses it. */
const WORST = `(${PROFIT} - 1000 * count(*) filter (where ${UNKNOWN_OTHER}))`
/** At best, unknown hits are paid the fair price of the market, and no other unknown bet was placed. */
const BEST = `(${PROFIT} + coalesce(sum(1000 / coalesce(p.market, p.probability) - 1000) filter (where ${UNKNOWN_HIT}), 0))`

const summed = (value: string, condition = PLAYED): string =>
  `coalesce(sum(${value}) filter (where ${condition}), 0)`
export const share = (part: string, whole: string): string =>
  `(${part})::float8 / nullif((${whole})::float8, 0)`
/** Minus the logarithm of the probability of what happened; 0 and 1 are taken as 1e-9 and 1 - 1e-9. */
const loss = (probability: string, condition = PLAYED): string =>
  summed(
    `-ln(case when ${HIT} then least(greatest(${probability}, 1e-9), 1 - 1e-9)
      else 1 - least(greatest(${probability}, 1e-9), 1 - 1e-9) end)`,
    condition,
  )
const PRICED = `${PLAYED} and p.market is not null`

/** Measures that must agree, as PostgreSQL computes them. */
export const REFERENCE_MEASURES: Readonly<Record<string, string>> = {
  predictions: 'count(*)',
  races: 'count(distinct p.race_id)',
  meetings: 'count(distinct (p.race_date, p.stadium_key))',
  hits: HITS,
  voids: `count(*) filter (where p.outcome = 'void')`,
  unknown: 'count(*) filter (where p.profit_cents is null)',
  unknown_hits: `count(*) filter (where ${UNKNOWN_HIT})`,
  hit_rate: share(HITS, BETS),
  chance_hits: summed('p.random'),
  chance_rate: share(summed('p.random'), BETS),
  impact: share(HITS, summed('p.random')),
  expected: summed('p.probability'),
  expected_market: summed('p.market'),
  market_hits: `count(*) filter (where ${HIT} and p.market is not null)`,
  ae: share(HITS, summed('p.probability')),
  ae_market: share(`count(*) filter (where ${HIT} and p.market is not null)`, summed('p.market')),
  staked: STAKED,
  profit: PROFIT,
  profit_worst: WORST,
  profit_best: BEST,
  return: share(PROFIT, STAKED),
  return_worst: share(WORST, `${STAKED} + 1000 * count(*) filter (where p.profit_cents is null)`),
  return_best: share(BEST, `${STAKED} + 1000 * count(*) filter (where ${UNKNOWN_HIT})`),
  mean_probability: 'avg(p.probability)',
  mean_odds: 'avg(p.win_odds)',
  closing_value: 'avg(p.opening_odds / p.win_odds - 1)',
  paid_fair: share(
    summed('p.profit_cents + 1000', `${HIT} and p.profit_cents is not null and p.market is not null`),
    summed('1000 / p.market', `${HIT} and p.profit_cents is not null and p.market is not null`),
  ),
  brier: share(summed(`(p.probability - (${HIT})::int) ^ 2`), BETS),
  log_loss: share(loss('p.probability'), BETS),
  r2: `1 - ${share(loss('p.probability'), loss('p.random'))}`,
  r2_market: `1 - ${share(loss('p.probability', PRICED), loss('p.market', PRICED))}`,
}

const OWN_SLOTS = [1, 2, 3, 4, 5, 6]
/**
 * The columns of a user's own file, where a test adds them to `reference_starter`: the number of the band, and the mean of
 * the numbers.
 */
export const OWN_REFERENCE: Readonly<Record<string, string>> = Object.fromEntries(
  OWN_SLOTS.map((slot) => [`own_${slot}`, `r.own_${slot}`]),
)
export const OWN_REFERENCE_MEASURES: Readonly<Record<string, string>> = Object.fromEntries(
  OWN_SLOTS.map((slot) => [`own_${slot}_mean`, `avg(r.own_${slot}_value)`]),
)
const dimensionSql = (dim: string): string => (REFERENCE[dim] ?? OWN_REFERENCE[dim])!
/** The columns of PostgreSQL that are not a measure themselves, by their names. */
const BETS_IN_ORDER: typeof REFERENCE_MEASURES = { [BET_LIST]: betsSql('p.gameplay_class, p.rank') }
const measureSql = (name: string): string =>
  (REFERENCE_MEASURES[name] ?? OWN_REFERENCE_MEASURES[name] ?? BETS_IN_ORDER[name])!

const literal = (value: Scalar): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

const TYPES = ['true', 'p.selected', 'p.cautious', 'p.upset_guard']

/** Dimensions of another model: the value of a group, and, where that is a band, the number that ranges apply to. */
export type MoreDimensions = Readonly<Record<string, { sql: string; value?: string }>>

/** A filter as a condition over the tables above. `typed`: there is one row per prediction type. */
function condition(filter: Filter | null, typed: boolean, more: MoreDimensions = {}): string {
  if (filter === null) return 'true'
  if ('and' in filter)
    return `(${['true', ...filter.and.map((part) => condition(part, typed, more))].join(' and ')})`
  if ('or' in filter)
    return `(${['false', ...filter.or.map((part) => condition(part, typed, more))].join(' or ')})`
  if ('not' in filter) return `((${condition(filter.not, typed, more)}) is not true)`
  const { dim } = filter
  if (dim === 'prediction_type' && 'in' in filter && !typed)
    return `(${filter.in.map((type) => TYPES[Number(type)]).join(' or ')})`
  const own = more[dim]
  if ('in' in filter) return `${own?.sql ?? dimensionSql(dim)} in (${filter.in.map(literal).join(', ')})`
  return ranged(own ? (own.value ?? own.sql) : rangedSql(dim), filter)
}

const rangedSql = (dim: string): string => BANDED[dim]?.sql ?? dimensionSql(dim)

const ranged = (sql: string, { from, to }: { from?: Scalar; to?: Scalar }): string =>
  [
    'true',
    ...(from === undefined ? [] : [`${sql} >= ${literal(from)}`]),
    ...(to === undefined ? [] : [`${sql} <= ${literal(to)}`]),
  ].join(' and ')

/** A filter as a condition over a row `p` and its horse `r`. */
export const referenceCondition = (filter: Filter | null, more: MoreDimensions = {}): string =>
  condition(filter, false, more)

/** The whole query for PostgreSQL: groups as `k0…`, then the measures. `used`: every dimension that it needs. */
export function referenceSql(
  by: readonly string[],
  measures: readonly string[],
  where: Filter | null,
  used: readonly string[],
): string {
  const typed = by.includes('prediction_type')
  const joins = [
    ...(typed ? [TYPE_JOIN] : []),
    ...([...used.map(dimensionSql), ...measures.map(measureSql)].some((sql) => /\br\./.test(sql))
      ? [HORSE_JOIN]
      : []),
  ]
  const keys = by.map((dim, index) => `${dimensionSql(dim)} as k${index}`)
  const groups = by.map((_, index) => `k${index}`)
  return `select ${[...keys, ...measures.map((name) => `${measureSql(name)} as ${name}`)].join(', ')}
    from reference_row p ${joins.join(' ')} where ${condition(where, typed)}
    ${groups.length === 0 ? '' : `group by ${groups.join(', ')}`}`
}

/** The figures of a row of `referenceSql`, in the order of `measures`. */
export const referenceFigures = (
  row: Readonly<Record<string, Scalar | null>>,
  measures: readonly string[],
): (number | null)[] =>
  measures.map((name) => {
    if (isOfBets(name)) return ofBets(row, name)
    const value = row[camelCase(name)]
    return value === null ? null : Number(value)
  })
