import type { Filter } from '../../analytics/filter.ts'
import type { Scalar } from '../../analytics/model.ts'

/**
 * A second implementation of the semantic model's dimensions and measures, as SQL over PostgreSQL's own tables: it
 * shares nothing with `analytics/`, so that the two can be compared.
 */
export const REGION = '100000'

/**
 * The settled predictions with the facts of their races, created once: otherwise every query would look up fields and
 * locks for each of its rows.
 */
export const REFERENCE_VIEW = `create materialized view reference_row as
  select p.race_id, p.model_id, p.gameplay_class, p.rank, p.combination, p.probability, p.selected, p.cautious,
    p.upset_guard, s.outcome, s.profit_cents, race.race_date, race.season, race.race_no, race.course, race.track,
    race.going, race.distance_m, race.race_class, stadium.key as stadium_key,
    (select count(*) from runner where runner.race_id = race.id and horse_no is not null
      and status <> 'withdrawn')::int as field_size,
    case when exists (select 1 from prediction_lock l where l.race_id = p.race_id and l.model_id = p.model_id)
      then case when exists (select 1 from broken_lock b where b.race_id = p.race_id and b.model_id = p.model_id)
        then 'changed' else 'locked' end else 'backtest' end as origin
  from prediction p join settlement s on s.race_id = p.race_id and s.model_id = p.model_id
    and s.gameplay_class = p.gameplay_class and s.rank = p.rank
  join race on race.id = p.race_id join stadium on stadium.id = race.stadium_id
  where race.region_id = '${REGION}' and race.status = 'final'`

/** Each generated dimension as an expression over a row `p` of the view; horse dimensions use `r`. */
export const REFERENCE: Readonly<Record<string, string>> = {
  day: `to_char(p.race_date, 'YYYY-MM-DD')`,
  meeting: `to_char(p.race_date, 'YYYY-MM-DD') || '/' || p.stadium_key`,
  month: `to_char(p.race_date, 'YYYY-MM')`,
  season: 'p.season',
  weekday: 'extract(isodow from p.race_date)::int',
  racecourse: 'p.stadium_key',
  course: 'p.course',
  track: 'p.track',
  going: 'p.going',
  distance: 'p.distance_m',
  class: 'p.race_class',
  race_no: 'p.race_no',
  field_size: 'p.field_size',
  bet_type: 'p.gameplay_class',
  rank: 'p.rank',
  outcome: 'p.outcome',
  model: 'p.model_id',
  origin: 'p.origin',
  probability: `(array[0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4])[
    width_bucket(p.probability::real::float8, array[0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4]) + 1]::float8`,
  odds: `(array[1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 50])[
    width_bucket(r.win_odds::real::float8, array[2, 3, 4, 6, 8, 10, 15, 20, 30, 50]::float8[]) + 1]::float8`,
  odds_move: `(array[-1, -0.4, -0.25, -0.1, 0.1, 0.25, 0.5, 1])[
    width_bucket(r.win_odds::real::float8 / (select odds::real::float8 from odds_tick t where t.race_id = p.race_id
      and t.horse_no = r.horse_no order by seen_at limit 1) - 1,
      array[-0.4, -0.25, -0.1, 0.1, 0.25, 0.5, 1]::float8[]) + 1]::float8`,
  jockey: 'jockey.key',
  trainer: 'trainer.key',
  horse: 'horse.key',
  draw: 'r.draw',
}

const HORSE_DIMENSIONS: readonly string[] = ['jockey', 'trainer', 'horse', 'draw', 'odds', 'odds_move']

/** Joins the horses of each combination: one row per horse. */
const HORSE_JOINS = `cross join lateral unnest(string_to_array(p.combination, '-')) as chosen (horse_no)
  join runner r on r.race_id = p.race_id and r.horse_no = chosen.horse_no::int
  join horse on horse.id = r.horse_id
  left join jockey on jockey.id = r.jockey_id left join trainer on trainer.id = r.trainer_id`

/** Measures that must agree exactly, as PostgreSQL computes them. */
export const REFERENCE_MEASURES: Readonly<Record<string, string>> = {
  predictions: 'count(*)',
  races: 'count(distinct p.race_id)',
  meetings: 'count(distinct (p.race_date, p.stadium_key))',
  hits: `count(*) filter (where p.outcome = 'hit')`,
  voids: `count(*) filter (where p.outcome = 'void')`,
  unknown: 'count(*) filter (where p.profit_cents is null)',
  staked: `1000 * count(*) filter (where p.profit_cents is not null and p.outcome <> 'void')`,
  profit: 'coalesce(sum(p.profit_cents), 0)',
  mean_probability: 'avg(p.probability::real::float8)',
  hit_rate: `count(*) filter (where p.outcome = 'hit')::float8 / nullif(count(*) filter (where p.outcome <> 'void'), 0)`,
  return: `coalesce(sum(p.profit_cents), 0)::float8
    / nullif(1000 * count(*) filter (where p.profit_cents is not null and p.outcome <> 'void'), 0)`,
}

const literal = (value: Scalar): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

const TYPES = ['true', 'p.selected', 'p.cautious', 'p.upset_guard']

/** A filter as a condition over the tables above. */
export function referenceCondition(filter: Filter | null): string {
  if (filter === null) return 'true'
  if ('and' in filter) return `(${['true', ...filter.and.map(referenceCondition)].join(' and ')})`
  if ('or' in filter) return `(${['false', ...filter.or.map(referenceCondition)].join(' or ')})`
  if ('not' in filter) return `((${referenceCondition(filter.not)}) is not true)`
  if (filter.dim === 'prediction_type' && 'in' in filter)
    return `(${filter.in.map((type) => TYPES[Number(type)]).join(' or ')})`
  // A range applies to the value itself; bands are only named by their edges.
  const sql =
    'in' in filter || filter.dim !== 'probability' ? REFERENCE[filter.dim]! : 'p.probability::real::float8'
  if ('in' in filter) return `${sql} in (${filter.in.map(literal).join(', ')})`
  return [
    'true',
    ...(filter.from === undefined ? [] : [`${sql} >= ${literal(filter.from)}`]),
    ...(filter.to === undefined ? [] : [`${sql} <= ${literal(filter.to)}`]),
  ].join(' and ')
}

/** The whole query for PostgreSQL: groups as `k0…`, then the measures. */
export function referenceSql(
  by: readonly string[],
  measures: readonly string[],
  where: Filter | null,
  used: readonly string[],
): string {
  const horses = used.some((dim) => HORSE_DIMENSIONS.includes(dim)) ? HORSE_JOINS : ''
  const keys = by.map((dim, index) => `${REFERENCE[dim]} as k${index}`)
  const groups = by.map((_, index) => `k${index}`)
  return `select ${[...keys, ...measures.map((name) => `${REFERENCE_MEASURES[name]} as ${name}`)].join(', ')}
    from reference_row p ${horses} where ${referenceCondition(where)}
    ${groups.length === 0 ? '' : `group by ${groups.join(', ')}`}`
}
