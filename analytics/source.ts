import { FurlongError } from '../domain/errors.ts'
import {
  clauseSql,
  conditionOf,
  conjuncts,
  dimensionsOf,
  impliedValues,
  type Clause,
  type Filter,
} from './filter.ts'
import type { Model, Rollup, Scalar, Sum } from './model.ts'
import { NO_OWN_VALUE, OWN_ROWS, OWN_SLOTS, ownValue } from './own-slots.ts'
import { number } from './sql.ts'

/** The rows that a query may read, limited by the opened files or by the server's access check. */
export type Access =
  /** `constants`: dimension values that every opened row has. `without`: rollups that are not built yet. */
  | {
      scope: 'all'
      constants?: Readonly<Record<string, Scalar>>
      without?: readonly string[]
      /** The engine has the matched rows of the reader's own file. */
      own?: boolean
    }
  /** All daily totals, and the rows of the seven days up to the last race day. */
  | { scope: 'public' }
  /** Only rows of the races that the user opened. */
  | { scope: 'races'; raceKeys: readonly number[] }

/** A relation to aggregate or list, with its WHERE condition. */
export interface Source {
  /** Name of the rollup, or of the table. */
  name: string
  /** FROM clause; columns are unqualified. */
  from: string
  condition: string
  rollup: Rollup | null
  /** A prediction counts once for each of its horses. */
  fanOut: boolean
  /** Column with one value per cluster: a meeting, or a day. */
  cluster: string
}

export interface Rejection {
  rollup: string
  reason: string
}

/**
 * Table of the most queried rows: main, cautious and upset picks, those on one horse with that horse's
 * attributes. `starter_no` is NULL for a bet on several horses and where the horse did not start.
 */
export const FREQUENT = 'frequent'

/** Column of `FREQUENT` with what a row adds to a sum: a column name is planned faster than an expression. */
export const partColumn = (sum: string): string => `part_${sum}`
/** Whether `FREQUENT` has that column. Storing logarithms costs more than it saves, because few queries need them. */
export const hasPart = ({ value, product, own }: Sum): boolean =>
  value !== undefined && product === undefined && !own

export const HORSE_COLUMNS = [
  'horse_key',
  'jockey_key',
  'trainer_key',
  'draw',
  'rating',
  'weight_lb',
  'body_weight_lb',
  'gear',
  'first_time_gear',
  'days_since_run',
  'career_runs',
]
const TYPE_FLAGS = ['true', 'selected', 'cautious', 'upset_guard'] as const
const SEVERAL_HORSES = [3, 4, 5, 6, 7, 8, 9]

const levelsOf = (model: Model, dims: Iterable<string>): Set<string> =>
  new Set([...dims].flatMap((dim) => model.dimensions[dim]?.level ?? []))

/** Whether a filter selects only bets on one horse. */
function isOnOneHorse(where: Filter | null): boolean {
  const betTypes = impliedValues(where, 'bet_type')
  return betTypes !== null && betTypes.every((type) => !SEVERAL_HORSES.includes(Number(type)))
}

/**
 * Whether a combination counts once for each of its horses: they are selected or grouped by a horse's dimension.
 *
 * ```ts
 * import { PREDICTIONS } from './predictions.ts'
 * fansOut(PREDICTIONS, ['horse'], null) // => true
 * fansOut(PREDICTIONS, ['horse'], { dim: 'bet_type', in: [1] }) // => false
 * ```
 */
export const fansOut = (model: Model, by: readonly string[], where: Filter | null): boolean =>
  model.table === 'prediction' &&
  levelsOf(model, [...by, ...dimensionsOf(where)]).has('horse') &&
  !isOnOneHorse(where)

/** What a query requires of a source. */
export interface Need {
  by: readonly string[]
  where: Filter | null
  sums: readonly string[]
  ordered: boolean
  intervals: boolean
}

/** Whether a rollup is not built yet. */
export const isMissing = (table: string, access: Access): boolean =>
  access.scope === 'all' && (access.without?.includes(table) ?? false)

/** Why a rollup cannot answer the query; `null` if it can. */
function reasonAgainst(rollup: Rollup, need: Need, access: Access): string | null {
  return (
    accessReason(rollup, access) ?? contentReason(rollup, need, access) ?? predictionTypeReason(rollup, need)
  )
}

/** Why the user or the opened files do not permit a rollup. */
function accessReason(rollup: Rollup, access: Access): string | null {
  if (access.scope === 'races') return 'rows of opened races only'
  if (isMissing(rollup.table, access)) return 'not made yet'
  return access.scope === 'public' && rollup.access !== 'public' ? 'not public' : null
}

/** What a rollup lacks that the query requires. */
function contentReason(rollup: Rollup, need: Need, access: Access): string | null {
  if (need.ordered) return 'needs bets in their order'
  const missing = [...need.by, ...dimensionsOf(need.where)].find(
    (dim) => !rollup.dimensions.includes(dim) && dim !== 'prediction_type',
  )
  if (missing !== undefined) return `has no ${missing}`
  const sum = need.sums.find((name) => !rollup.sums.includes(name))
  if (sum !== undefined) return `has no ${sum}`
  return need.intervals && rollup.cluster !== 'meeting_key' && access.scope === 'all'
    ? 'intervals by meeting'
    : null
}

/** Why a rollup cannot select or separate the prediction types of the query. */
function predictionTypeReason(rollup: Rollup, { by, where }: Need): string | null {
  const types = impliedValues(where, 'prediction_type')
  const filtered = dimensionsOf(where).has('prediction_type')
  const grouped = by.includes('prediction_type')
  if (rollup.allTypes && (grouped || (filtered && String(types) !== '0'))) return 'all ten predictions only'
  if (rollup.perType && filtered && (types === null || (types.length > 1 && !grouped)))
    return 'prediction types overlap'
  return null
}

/**
 * The relation that answers a query: the first suitable rollup, otherwise the rows. `rejected`
 * explains why each earlier rollup was not used. Throws `vip-needed` if only rows could answer and
 * the user may not read them.
 */
export function sourceOf(
  model: Model,
  need: Need,
  access: Access,
): { source: Source; rejected: Rejection[] } {
  const rejected: Rejection[] = []
  for (const rollup of model.rollups) {
    const reason = reasonAgainst(rollup, need, access)
    if (reason === null) return { source: rollupSource(model, rollup, need, access), rejected }
    rejected.push({ rollup: rollup.table, reason })
  }
  if (access.scope === 'public') throw new FurlongError('vip-needed')
  return { source: rowSource(model, need.by, need.where, access, need.sums), rejected }
}

/** Whether a clause holds for every opened row; such a clause is dropped to save a comparison per row. */
function holdsAnyway(clause: Clause, access: Access): boolean {
  const constants = access.scope === 'all' ? access.constants : undefined
  const value = constants?.[clause.dim]
  return value !== undefined && 'in' in clause && clause.in.includes(value)
}

function rollupSource(model: Model, rollup: Rollup, { by, where }: Need, access: Access): Source {
  const typed = by.includes('prediction_type')
  const types = impliedValues(where, 'prediction_type')
  const condition = conditionOf(where, (clause) => {
    // Daily totals cover every model, so the constants of the opened rows do not apply to them.
    if (rollup.access !== 'public' && holdsAnyway(clause, access)) return 'true'
    if (clause.dim === 'prediction_type' && (rollup.allTypes || !typed)) return 'true'
    return clauseSql(model.dimensions[clause.dim]!, clause)
  })
  const oneType = rollup.perType && !typed ? ` AND prediction_type = ${number(Number(types?.[0] ?? 0))}` : ''
  return {
    name: rollup.table,
    from: rollup.table,
    condition: condition + oneType,
    rollup,
    fanOut: false,
    cluster: rollup.cluster,
  }
}

/** The rows of `FREQUENT`, as a condition on predictions. */
export const FREQUENT_ROWS = 'selected OR cautious OR upset_guard'

/** Whether `FREQUENT` exists and contains all rows of a query. */
function isOfFrequent(model: Model, where: Filter | null, access: Access): boolean {
  if (model.table !== 'prediction' || access.scope !== 'all' || isMissing(FREQUENT, access)) return false
  const types = impliedValues(where, 'prediction_type')
  return types !== null && types.length > 0 && !types.includes(0)
}

const flagsOf = (types: readonly Scalar[]): string =>
  `(${types.map((type) => TYPE_FLAGS[Number(type)]!).join(' OR ')})`

const OWN_COLUMNS = OWN_SLOTS.flatMap((slot) => [
  `coalesce(o.${slot}, ${NO_OWN_VALUE})::TINYINT AS ${slot}`,
  `o.${ownValue(slot)}`,
])

/** Throws `own-needed` where the reader's own rows are not open. */
export function requireOwnRows(access: Access): void {
  if (access.scope !== 'all' || !access.own) throw new FurlongError('own-needed')
}

/** The table of a model's rows that has all that a query reads: the most queried rows, or those with what is joined to them. */
function tableOf(
  model: Model,
  used: Iterable<string>,
  sums: readonly string[],
  { where, access }: { where: Filter | null; access: Access },
): string {
  const isDetailed =
    [...used].some((name) => {
      const { detail, sections, joined } = model.dimensions[name]!
      return detail || sections || joined
    }) || sums.some((name) => model.sums[name]?.detail || model.sums[name]?.sections)
  if (isDetailed) return model.detailedTable ?? model.table
  return isOfFrequent(model, where, access) ? FREQUENT : model.table
}

/**
 * Rows with the reader's own columns of the horse whose number is in a column. Where the file has none, the slot's value is
 * `NO_OWN_VALUE`, so that the parts of a slot add up to the whole.
 */
const withOwnRows = (rows: string, horseNo: string): string =>
  `(SELECT r.*, ${OWN_COLUMNS.join(', ')} FROM ${rows} r
    LEFT JOIN ${OWN_ROWS} o ON o.race_key = r.race_key AND o.horse_no = r.${horseNo})`

/**
 * The rows, with the joins or columns needed to group by horse, by prediction type or by the user's own columns.
 * Throws `own-needed` where the own columns are not loaded.
 *
 * ```ts
 * import { PREDICTIONS } from './predictions.ts'
 * rowSource(PREDICTIONS, ['season'], { dim: 'rank', in: [1] }, { scope: 'all' }).condition // => 'rank IN (1)'
 * ```
 */
export function rowSource(
  model: Model,
  by: readonly string[],
  where: Filter | null,
  access: Access,
  sums: readonly string[] = [],
): Source {
  const used = new Set([...by, ...dimensionsOf(where)])
  const ownSums = sums.some((name) => model.sums[name]!.own)
  const own = ownSums || [...used].some((dim) => model.dimensions[dim]!.own)
  if (own) requireOwnRows(access)
  const typed = by.includes('prediction_type')
  const clauses = (of: Filter | null): string =>
    conditionOf(of, (clause) => {
      if (holdsAnyway(clause, access)) return 'true'
      if (clause.dim === 'prediction_type' && !typed && 'in' in clause) return flagsOf(clause.in)
      return clauseSql(model.dimensions[clause.dim]!, clause)
    })
  const opened =
    access.scope === 'races'
      ? ` AND race_key IN (${access.raceKeys.length === 0 ? 'NULL' : access.raceKeys.map(number).join(', ')})`
      : ''
  const condition = clauses(where) + opened
  const join = (rows: string, horseNo: string): string => (own ? withOwnRows(rows, horseNo) : rows)
  const table = tableOf(model, used, sums, { where, access })
  const frequent = table === FREQUENT
  const base = { name: table, condition, rollup: null, cluster: 'meeting_key', fanOut: false }
  if (model.table !== 'prediction') return { ...base, from: join(table, 'horse_no') }
  const rows = typed ? `(SELECT *, ${PREDICTION_TYPES} FROM ${table})` : table
  if (!ownSums && !levelsOf(model, used).has('horse')) return { ...base, from: rows }
  const single = isOnOneHorse(where)
  if (frequent && single)
    return { ...base, from: join(rows, 'starter_no'), condition: `${condition} AND starter_no IS NOT NULL` }
  // Conditions on the race and the prediction are applied before the horses, so that fewer rows are joined.
  const early = clauses(where && withoutHorses(model, where))
  const chosen = chosenHorses(rows, early + opened, { single, frequent })
  return { ...base, from: join(chosen, 'chosen_no'), fanOut: !single }
}

/** Each prediction once for each of its prediction types; 0 is all of them. */
const PREDICTION_TYPES = `unnest(list_filter([0, CASE WHEN selected THEN 1 END, CASE WHEN cautious THEN 2 END,
    CASE WHEN upset_guard THEN 3 END], lambda t: t IS NOT NULL))::TINYINT AS prediction_type`

/** Predictions joined with the starters that they name, a row for each; `frequent`: the rows have horse columns. */
function chosenHorses(
  rows: string,
  condition: string,
  { single, frequent }: { single: boolean; frequent: boolean },
): string {
  const chosen = single
    ? 'horse_no_1 AS chosen_no'
    : 'unnest([horse_no_1, horse_no_2, horse_no_3, horse_no_4]) AS chosen_no'
  return `(SELECT ${frequent ? `p.* EXCLUDE (${HORSE_COLUMNS.join(', ')})` : 'p.*'}, ${HORSE_COLUMNS.map((column) => `s.${column}`).join(', ')}
      FROM (SELECT *, ${chosen} FROM ${rows} WHERE ${condition}) p
      JOIN starter s ON s.race_key = p.race_key AND s.horse_no = p.chosen_no AND s.model = p.model)`
}

/** The conjuncts of a filter that use no horse dimension. */
const withoutHorses = (model: Model, where: Filter): Filter => ({
  and: conjuncts(where).filter((part) => !levelsOf(model, dimensionsOf(part)).has('horse')),
})
