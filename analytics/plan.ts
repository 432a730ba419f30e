import { NAME_COLUMNS } from '../domain/languages.ts'
import type { Sort } from './check.ts'
import {
  clusteredSums,
  groupedSums,
  keyNames,
  measureSql,
  ofNoBets,
  orderedSums,
  shownKeys,
  sumsOf,
  withIntervals,
} from './compile.ts'
import { bad, dimensionsOf, impliedValues, type Filter } from './filter.ts'
import type { Dimension, Model, Unit } from './model.ts'
import { sourceOf, type Access, type Rejection, type Source } from './source.ts'

/** Describes a column of a result: columns are identified by name, never by position. */
export interface ColumnSpec {
  name: string
  type: 'number' | 'text' | 'boolean'
  unit?: Unit
}

/** A query as SQL, and how it was planned. */
export interface Plan {
  sql: string
  /** The relation that is read: a rollup, or the rows. */
  source: string
  rejected: Rejection[]
  columns: ColumnSpec[]
  /** A prediction counts once for each of its horses. */
  fanOut: boolean
  /** The unit by which intervals are clustered; `null` without intervals. */
  cluster: 'meeting' | 'day' | null
}

/** A grouped query: see `Aggregate`. */
export interface GroupQuery {
  by: readonly string[]
  measures: readonly string[]
  where: Filter | null
  sort?: readonly Sort[]
  limit?: number
  intervals?: boolean
}

const DEFAULT_LIMIT = 1000

/**
 * Every figure must be for one model and one origin, or grouped by them: mixing them would be meaningless.
 */
function requirePinned(model: Model, by: readonly string[], where: Filter | null): void {
  for (const dim of ['model', 'origin']) {
    if (Object.hasOwn(model.dimensions, dim) && !by.includes(dim) && impliedValues(where, dim)?.length !== 1)
      throw bad(`${dim}: choose one`)
  }
}

/**
 * Dimensions and measures that are known only for some bet types require a filter on those;
 * otherwise they select by outcome.
 */
export function requireBetTypes(model: Model, names: Iterable<string>, where: Filter | null): void {
  const chosen = impliedValues(where, 'bet_type')
  for (const name of names) {
    const { betTypes } = (model.dimensions[name] ?? model.measures[name])!
    if (betTypes && !chosen?.every((type) => betTypes.includes(Number(type))))
      throw bad(`${name}: only for bet types ${betTypes.join(', ')}`)
  }
}

function requireWholeRaces(model: Model, query: GroupQuery): void {
  const measure = query.measures.find((name) => model.measures[name]!.wholeRaces)
  const part = [...query.by, ...dimensionsOf(query.where)].find(
    (dim) => model.dimensions[dim]!.level !== 'race',
  )
  if (measure !== undefined && part !== undefined) throw bad(`${measure}: not with ${part}`)
}

/** Throws `bad-parameters` for queries whose figures would be misleading. */
export function requireHonest(model: Model, query: GroupQuery): void {
  requirePinned(model, query.by, query.where)
  requireBetTypes(model, [...query.by, ...dimensionsOf(query.where), ...query.measures], query.where)
  requireWholeRaces(model, query)
}

/** The column of a dimension, and those of its values' names, one per language. */
export const dimensionColumns = (name: string, { type, names }: Dimension): ColumnSpec[] => [
  { name, type: type === 'integer' ? 'number' : type },
  ...(names ? NAME_COLUMNS : []).map((language) => ({ name: `${name}_${language}`, type: 'text' as const })),
]

/** The columns of a dimension by which rows are grouped: where it has ids, that of the value too. */
const groupedColumns = (name: string, dimension: Dimension): ColumnSpec[] => [
  ...dimensionColumns(name, dimension),
  ...(dimension.names?.id === undefined ? [] : [{ name: `${name}_id`, type: 'text' as const }]),
]

/** Columns of measures, each ratio with the bounds of its interval if `intervals`. */
export const figureColumns = (model: Model, measures: readonly string[], intervals: boolean): ColumnSpec[] =>
  measures.flatMap((name): ColumnSpec[] => {
    const { unit, ratio } = model.measures[name]!
    const column = (own: string): ColumnSpec => ({ name: own, type: 'number', unit })
    return intervals && ratio ? [column(name), column(`${name}_low`), column(`${name}_high`)] : [column(name)]
  })

/**
 * Plans a grouped query: checks that it is not misleading, chooses the rollup or the rows, and compiles it.
 * Throws `bad-parameters`, `vip-needed`.
 */
export function planGroups(model: Model, query: GroupQuery, access: Access): Plan {
  requireHonest(model, query)
  const ordered = query.measures.some((name) => model.measures[name]!.ordered)
  const sums = sumsOf(model, query.measures)
  const intervals = query.intervals === true
  const need = { by: query.by, where: query.where, sums, ordered, intervals }
  const { source, rejected } = sourceOf(model, need, access)
  return {
    sql: groupsSql(model, query, source, sums),
    source: source.name,
    rejected,
    columns: [
      ...query.by.flatMap((dim) => groupedColumns(dim, model.dimensions[dim]!)),
      ...figureColumns(model, query.measures, intervals),
    ],
    fanOut: source.fanOut,
    cluster: intervals ? (source.cluster === 'meeting_key' ? 'meeting' : 'day') : null,
  }
}

function groupsSql(model: Model, query: GroupQuery, source: Source, sums: readonly string[]): string {
  const { by, measures } = query
  const intervals = query.intervals === true
  const inOrder = measures.filter((name) => model.measures[name]!.ordered)
  const groups = intervals
    ? clusteredSums(model, by, measures, sums, source)
    : groupedSums(model, by, sums, source)
  const keys = keyNames(by)
  const withOrder =
    inOrder.length > 0
      ? `SELECT g.*, ${inOrder.map((name) => `${ofNoBets(name, `o.s_${name}`)} AS s_${name}`).join(', ')} FROM (${groups}) g
       LEFT JOIN (${orderedSums(model, by, source, inOrder)}) o
       ON ${keys.length === 0 ? 'true' : keys.map((key) => `o.${key} IS NOT DISTINCT FROM g.${key}`).join(' AND ')}`
      : groups
  const figures = `SELECT *, ${measures.map((name) => measureSql(model, name)).join(', ')} FROM (${withOrder})`
  const withBounds = intervals ? withIntervals(model, measures, figures) : figures
  const shown = shownKeys(model, by)
  const own = figureColumns(model, measures, intervals).map(({ name }) => `g.${name}`)
  return `SELECT ${[...shown.columns, ...own].join(', ')} FROM (${withBounds}) g ${shown.joins.join(' ')}
    ${orderOf(model, query)} LIMIT ${query.limit ?? DEFAULT_LIMIT}`
}

/** The requested order, then the dimensions' natural order, then the keys: a total order. */
function orderOf(model: Model, { by, measures, sort }: GroupQuery): string {
  const requested = (sort ?? []).map(({ by: name, descending }) => {
    const at = by.indexOf(name)
    return `${at < 0 ? `g.${name}` : `g.k${at}`} ${descending ? 'DESC' : 'ASC'} NULLS LAST`
  })
  const natural = by.map((dim, index) => {
    const { order } = model.dimensions[dim]!
    const counted = measures.find((name) => name === model.rows)
    if (order === 'count' && counted && by.length === 1) return `g.${counted} DESC, g.k${index} NULLS LAST`
    return `g.k${index} ${order === 'newest' ? 'DESC' : 'ASC'} NULLS LAST`
  })
  const all = [...requested, ...natural]
  return all.length === 0 ? '' : `ORDER BY ${all.join(', ')}`
}
