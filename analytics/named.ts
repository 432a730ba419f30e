import { horseName } from './name-sql.ts'
import { nearestSql } from './nearest.ts'
import { MODEL_IDS, type ModelId } from '../contract/model-ids.ts'
import { FurlongError } from '../domain/errors.ts'
import { NAME_COLUMNS } from '../domain/languages.ts'
import { fieldsOf } from './check.ts'
import { bad, checkFilter, clauseSql, conditionOf, conjuncts, dimensionsOf, type Filter } from './filter.ts'
import { PREDICTIONS } from './predictions.ts'
import type { ColumnSpec, Plan } from './plan.ts'
import type { Access } from './source.ts'
import { number, text } from './sql.ts'

/** Queries that are neither groups nor rows of a model. `where` may use only dimensions of the race. */
export type NamedRequest =
  /** The latest lock of each race and model. */
  | { name: 'locks'; model: ModelId; where: Filter | null }
  /** The content of the files for the locked races: a line per starter (bet type 0) and per prediction. */
  | { name: 'locked_lines'; model: ModelId; where: Filter | null }
  /** Races with live updates since the files were built. */
  | { name: 'live_races' }
  /** Odds of a race over time. */
  | { name: 'odds_trend'; raceId: string }
  /** Published dividends of a race, ordered by bet type. */
  | { name: 'dividends'; raceId: string }
  /** Races that were run from one day to another, at most 62 days, with their first four. */
  | { name: 'results'; from: string; to: string }
  /** Months with races that were run, newest first. */
  | { name: 'race_months' }
  /** The keys in these data of horses, jockeys, trainers and racecourses, and the horses' sires; no row for one without a key. */
  | { name: 'keys'; ids: readonly string[] }
  /** Feature contributions to the models' probabilities for a race's starters. */
  | { name: 'reasons'; raceId: string }
  /** The earlier runs that are nearest to a runner by what was known of them, of the starters in a model's rows. */
  | { name: 'nearest'; model: ModelId; raceId: string; horseNo: number }

const RACE_ID = /^[A-Z]{5}\d{10}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const MAX_DAYS = 62
/** The horses, jockeys and trainers of the largest field, and its racecourse. */
const MAX_IDS = 200
const MAX_ID_LENGTH = 200
const MAX_HORSE_NO = 99
const FIELDS = ['name', 'model', 'where', 'raceId', 'horseNo', 'ids', 'from', 'to']

export function checkNamed(value: unknown): NamedRequest {
  const { name, where, raceId, horseNo, ids, model, from, to } = fieldsOf(value, 'named', FIELDS)
  switch (name) {
    case 'locks':
    case 'locked_lines':
      return { name, ...checkLocks(model, where) }
    case 'live_races':
    case 'race_months':
      return { name }
    case 'results': {
      const days = dayOf(to, 'to') - dayOf(from, 'from')
      if (days < 0 || days >= MAX_DAYS) throw bad(`from, to: not 1 to ${MAX_DAYS} days`)
      return { name, from: String(from), to: String(to) }
    }
    case 'odds_trend':
    case 'dividends':
    case 'reasons':
      return { name, raceId: textLike(RACE_ID, raceId, 'raceId') }
    case 'keys':
      return { name, ids: idsOf(ids) }
    case 'nearest':
      return {
        name,
        model: modelOf(model),
        raceId: textLike(RACE_ID, raceId, 'raceId'),
        horseNo: numberOf(horseNo),
      }
    default:
      throw new FurlongError('unknown-query', { name: String(name).slice(0, 40) })
  }
}

/** Model and filter of a query of locks. */
function checkLocks(model: unknown, where: unknown): { model: ModelId; where: Filter | null } {
  const filter = checkFilter(PREDICTIONS, where)
  const other = [...dimensionsOf(filter)].find((dim) => !Object.hasOwn(LOCK_DIMENSIONS, dim))
  if (other !== undefined) throw bad(`where: not by ${other}`)
  return { model: modelOf(model), where: filter }
}

function modelOf(value: unknown): ModelId {
  const known = MODEL_IDS.find((id) => id === value)
  if (!known) throw bad('model')
  return known
}

/** A saddle number. */
function numberOf(value: unknown): number {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > MAX_HORSE_NO)
    throw bad('horseNo')
  return value as number
}

function idsOf(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_IDS) throw bad('ids: no list of ids')
  return value.map((id) => {
    if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH) throw bad('ids: no id')
    return id
  })
}

function textLike(pattern: RegExp, value: unknown, of: string): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw bad(of)
  return value
}

/** Days since 1970-01-01 of `yyyy-mm-dd`. */
function dayOf(value: unknown, of: string): number {
  const at = typeof value === 'string' && DAY.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN
  // For an impossible date such as 31 February some engines return a later day and
  // others NaN; both are refused.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== value) throw bad(of)
  return at / 86_400_000
}

/** Race dimensions that the table `race` has, with their expressions there. */
const LOCK_DIMENSIONS: Readonly<Record<string, string>> = {
  day: 'race_date',
  month: PREDICTIONS.dimensions.month.sql,
  racecourse: 'stadium_key',
  track: 'track',
  going: 'going',
  course: 'course',
  distance: 'distance_m',
  class: 'race_class',
  race_no: 'race_no',
  field_size: 'starters',
}

/**
 * The part of a filter that can select locked races; clauses on other dimensions are dropped.
 *
 * ```ts
 * lockFilter({ and: [{ dim: 'racecourse', in: ['ST'] }, { dim: 'rank', in: [1] }] }) // => { and: [{ dim: 'racecourse', in: ['ST'] }] }
 * ```
 */
export const lockFilter = (filter: Filter | null): Filter | null => {
  const own = conjuncts(filter).filter((part) =>
    [...dimensionsOf(part)].every((dim) => Object.hasOwn(LOCK_DIMENSIONS, dim)),
  )
  return own.length === 0 ? null : { and: own }
}

/** The condition that a race is one of those that the user opened, in the scope `races`. */
const andOpened = (access: Access): string =>
  access.scope === 'races' ? ` AND race_key IN (${['NULL', ...access.raceKeys.map(number)].join(', ')})` : ''

/**
 * Selects the keys of the races that match a filter; in the scope `races`, only those that the user opened.
 */
const racesOf = (where: Filter | null, access: Access): string => {
  const condition = conditionOf(where, (clause) =>
    clauseSql({ ...PREDICTIONS.dimensions[clause.dim as 'day'], sql: LOCK_DIMENSIONS[clause.dim]! }, clause),
  )
  return `SELECT race_key FROM race WHERE ${condition}${andOpened(access)}`
}

const namesIn = (name: string): Record<string, 'text'> =>
  Object.fromEntries(NAME_COLUMNS.map((language) => [`${name}_${language}`, 'text']))

/** Columns of each named query's result, in their order. */
const NAMED_COLUMNS: Readonly<Record<NamedRequest['name'], Readonly<Record<string, ColumnSpec['type']>>>> = {
  locks: {
    race_id: 'text',
    model_id: 'text',
    number: 'number',
    sha256: 'text',
    locked_at: 'text',
    chain: 'text',
  },
  locked_lines: {
    race_id: 'text',
    model_id: 'text',
    bet_type: 'number',
    rank: 'number',
    combination: 'text',
    probability: 'number',
    selected: 'boolean',
    cautious: 'boolean',
    upset_guard: 'boolean',
  },
  live_races: { race_id: 'text', at: 'text', odds: 'number', tips: 'number', result: 'text' },
  odds_trend: { horse_no: 'number', seen_at: 'text', odds: 'number' },
  dividends: { bet_type: 'number', combination: 'text', status: 'text', dividend_cents: 'number' },
  results: {
    race_id: 'text',
    day: 'text',
    race_no: 'number',
    racecourse: 'number',
    ...namesIn('racecourse'),
    ...namesIn('race_name'),
    race_class: 'text',
    distance: 'number',
    status: 'text',
    result: 'text',
    predicted_by: 'text',
    ...namesIn('winner'),
  },
  race_months: { month: 'text', meetings: 'number', races: 'number' },
  keys: { kind: 'text', id: 'text', key: 'number', sire: 'text' },
  nearest: {
    race_id: 'text',
    day: 'text',
    horse_no: 'number',
    ...namesIn('horse'),
    place: 'number',
    odds: 'number',
    won: 'number',
    expected: 'number',
    difference: 'number',
  },
  reasons: { model: 'text', horse_no: 'number', rank: 'number', feature: 'text', log_odds: 'number' },
}

/** Compiles a named query. Throws `vip-needed` where the user's rights do not cover the rows it needs. */
export function planNamed(request: NamedRequest, access: Access): Plan {
  const columns = Object.entries(NAMED_COLUMNS[request.name])
  return {
    sql: sqlOf(request, access),
    source: request.name,
    rejected: [],
    columns: columns.map(([name, type]) =>
      name === 'dividend_cents' ? { name, type, unit: 'cents' } : { name, type },
    ),
    fanOut: false,
    cluster: null,
  }
}

function sqlOf(request: NamedRequest, access: Access): string {
  switch (request.name) {
    case 'locks':
      return `SELECT race_id, model::VARCHAR AS model_id, number::DOUBLE AS number, sha256, locked_at, chain
        FROM (
          SELECT *, row_number() OVER (PARTITION BY race_key, model ORDER BY number DESC) AS newest
          FROM prediction_lock WHERE model = ${text(request.model)} AND race_key IN (${racesOf(request.where, access)})
            ${access.scope === 'all' ? '' : 'AND (race_key, model) IN (SELECT race_key, model FROM starter)'}
        ) WHERE newest = 1 ORDER BY race_id, model_id`
    case 'locked_lines':
      return lockedLinesSql(racesOf(request.where, access), request.model)
    case 'live_races':
      return LIVE_RACES_SQL
    case 'odds_trend':
      requireMember(access)
      return `SELECT horse_no::DOUBLE AS horse_no, strftime(seen_at, '%Y-%m-%dT%H:%M:%SZ') AS seen_at, odds::DOUBLE AS odds
        FROM odds_tick WHERE race_key = ${raceKeyOf(request.raceId, access)} ORDER BY seen_at, horse_no`
    case 'results':
      // Results are public.
      return resultsSql(request.from, request.to)
    case 'race_months':
      return `SELECT strftime(race_date, '%Y-%m') AS month, count(DISTINCT (race_date, stadium_key))::DOUBLE AS meetings,
          count(*)::DOUBLE AS races
        FROM race WHERE status <> 'scheduled' GROUP BY 1 ORDER BY 1 DESC`
    case 'keys':
      return keysSql(request.ids)
    case 'dividends':
      // Dividends are public.
      return `SELECT bet_type::DOUBLE AS bet_type, combination, status::VARCHAR AS status,
          dividend_cents::DOUBLE AS dividend_cents
        FROM dividend WHERE race_key = (SELECT race_key FROM race WHERE race_id = ${text(request.raceId)})
        ORDER BY bet_type, dividend_cents, combination`
    case 'nearest':
      // The chances of every race are in it.
      if (access.scope !== 'all') throw new FurlongError('vip-needed')
      return nearestSql(request.raceId, request.horseNo, request.model)
    case 'reasons':
      requireMember(access)
      return `SELECT model::VARCHAR AS model, horse_no::DOUBLE AS horse_no, rank::DOUBLE AS rank, feature,
          log_odds::DOUBLE AS log_odds
        FROM reason WHERE race_key = ${raceKeyOf(request.raceId, access)} ORDER BY model, horse_no, rank`
  }
}

/** Dead heats share a place, so more than four horses may be listed, and the names of several winners. */
const resultsSql = (from: string, to: string): string => `WITH run AS (
    SELECT * FROM race WHERE status <> 'scheduled' AND race_date BETWEEN DATE ${text(from)} AND DATE ${text(to)}
  ), first_four AS (
    SELECT race_key, string_agg(horse_no::VARCHAR, '-' ORDER BY place, horse_no) AS numbers
    FROM runner WHERE place <= 4 AND race_key IN (SELECT race_key FROM run) GROUP BY race_key
  ), winner AS (
    SELECT race_key, ${NAME_COLUMNS.map((language) => `string_agg(${horseName(language)}, ' / ' ORDER BY horse_no) AS winner_${language}`).join(', ')}
    FROM runner JOIN horse USING (horse_key) WHERE place = 1 AND race_key IN (SELECT race_key FROM run) GROUP BY race_key
  )
  SELECT race_id, strftime(race_date, '%Y-%m-%d') AS day, race_no::DOUBLE AS race_no, stadium_key::DOUBLE AS racecourse,
    ${NAME_COLUMNS.map((language) => `stadium.name_${language} AS racecourse_${language}`).join(', ')},
    ${NAME_COLUMNS.map((language) => `run.name_${language} AS race_name_${language}`).join(', ')},
    race_class, distance_m::DOUBLE AS distance, status::VARCHAR AS status, numbers AS result, predicted_by,
    ${NAME_COLUMNS.map((language) => `winner_${language}`).join(', ')}
  FROM run JOIN stadium USING (stadium_key) LEFT JOIN first_four USING (race_key) LEFT JOIN winner USING (race_key)
  ORDER BY race_date DESC, stadium_key, race_no`

/** Jockeys and trainers of one name have one id. */
function keysSql(ids: readonly string[]): string {
  const list = ids.map(text).join(', ')
  const keysOf = (kind: string, sire: string): string =>
    `SELECT '${kind}' AS kind, ${kind}_id AS id, ${kind}_key::DOUBLE AS key, ${sire} AS sire FROM ${kind} WHERE ${kind}_id IN (${list})`
  return [
    keysOf('horse', 'sire'),
    ...['jockey', 'trainer', 'stadium'].map((kind) => keysOf(kind, 'NULL::VARCHAR')),
  ].join(' UNION ALL ')
}

function requireMember(access: Access): void {
  if (access.scope === 'public') throw new FurlongError('vip-needed')
}

/** The key of a race; no row where it is not among those that the user opened. */
const raceKeyOf = (raceId: string, access: Access): string =>
  `(SELECT race_key FROM race WHERE race_id = ${text(raceId)}${andOpened(access)})`

const lockedLinesSql = (races: string, model: ModelId): string => `WITH locked AS (
    SELECT DISTINCT race_key, model, race_id FROM prediction_lock
    WHERE model = ${text(model)} AND race_key IN (${races})
  )
  SELECT race_id, model::VARCHAR AS model_id, 0::DOUBLE AS bet_type, horse_no::DOUBLE AS rank, '' AS combination,
    probability::DOUBLE AS probability, false AS selected, false AS cautious, false AS upset_guard
  FROM locked JOIN starter USING (race_key, model)
  UNION ALL
  SELECT race_id, model::VARCHAR, bet_type::DOUBLE, p.rank::DOUBLE,
    concat_ws('-', horse_no_1, horse_no_2, horse_no_3, horse_no_4), p.probability::DOUBLE, selected, cautious, upset_guard
  FROM locked JOIN prediction p USING (race_key, model)
  ORDER BY race_id, model_id, bet_type, rank`

const LIVE_RACES_SQL = `SELECT race_id, strftime(max(told_at), '%Y-%m-%dT%H:%M:%SZ') AS "at",
    (count(*) FILTER (WHERE kind = 'odds'))::DOUBLE AS odds, (count(*) FILTER (WHERE kind = 'tip'))::DOUBLE AS tips,
    string_agg(horse_no::VARCHAR, '-' ORDER BY place, horse_no)
      FILTER (WHERE kind = 'result' AND place <= 4) AS result
  FROM (
    SELECT 'odds' AS kind, race_id, told_at, horse_no, NULL AS place FROM live_odds
    UNION ALL SELECT 'tip', race_id, told_at, horse_no, NULL FROM live_tip
    UNION ALL SELECT 'result', race_id, told_at, horse_no, place FROM live_result
  ) GROUP BY race_id ORDER BY "at" DESC, race_id LIMIT 50`
