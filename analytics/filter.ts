import { FurlongError } from '../domain/errors.ts'
import type { Dimension, HasDimensions, Scalar } from './model.ts'
import { number, text } from './sql.ts'

/**
 * Selects the rows of a figure. `in` lists values (lower edges for a dimension with bins);
 * `from` and `to` are inclusive.
 */
export type Filter =
  | { and: Filter[] }
  | { or: Filter[] }
  | { not: Filter }
  | { dim: string; in: Scalar[] }
  | { dim: string; from?: Scalar; to?: Scalar }

const MAX_DEPTH = 6
/** Clauses of a filter, with the `and`, `or` and `not` that join them. */
const MAX_CLAUSES = 200
const MAX_VALUES = 1000

/** The error `bad-parameters` for a part of a request. */
export const bad = (reason: string): FurlongError => new FurlongError('bad-parameters', { reason })
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))

const tooLong = (): FurlongError => new FurlongError('filter-too-long', { most: MAX_CLAUSES })

const sizeOf = (filter: Filter): number =>
  'and' in filter
    ? filter.and.reduce((sum, part) => sum + sizeOf(part), 1)
    : 'or' in filter
      ? filter.or.reduce((sum, part) => sum + sizeOf(part), 1)
      : 'not' in filter
        ? 1 + sizeOf(filter.not)
        : 1

/** Throws `filter-too-long` for a filter that this program has built from more clauses than any query takes. */
export function requireShort(filter: Filter | null): void {
  if (filter !== null && sizeOf(filter) > MAX_CLAUSES) throw tooLong()
}

/**
 * Checks an untrusted filter against the model's dimensions and their types; `most`: the clauses that it may have. Throws
 * `bad-parameters`, `filter-too-long`.
 */
export function checkFilter(model: HasDimensions, value: unknown, most = MAX_CLAUSES): Filter | null {
  if (value === null || value === undefined) return null
  return checkNode(model, value, 0, { left: most })
}

function checkNode(model: HasDimensions, value: unknown, depth: number, budget: { left: number }): Filter {
  if (!isObject(value)) throw bad('filter: not an object')
  if (depth > MAX_DEPTH) throw bad('filter: nested too deeply')
  budget.left -= 1
  if (budget.left < 0) throw tooLong()
  const keys = Object.keys(value)
  if (keys.length === 1 && (Array.isArray(value['and']) || Array.isArray(value['or']))) {
    const kind = keys[0] as 'and' | 'or'
    const parts = (value[kind] as unknown[]).map((part) => checkNode(model, part, depth + 1, budget))
    return kind === 'and' ? { and: parts } : { or: parts }
  }
  if (keys.length === 1 && 'not' in value) return { not: checkNode(model, value['not'], depth + 1, budget) }
  return checkClause(model, value, keys)
}

function checkClause(model: HasDimensions, value: Record<string, unknown>, keys: readonly string[]): Filter {
  const { dim } = value
  if (typeof dim !== 'string' || !Object.hasOwn(model.dimensions, dim))
    throw bad(`filter: no dimension ${String(dim)}`)
  const dimension = model.dimensions[dim]!
  if (keys.some((key) => !['dim', 'in', 'from', 'to'].includes(key)))
    throw bad(`filter.${dim}: unknown field`)
  if ('in' in value) {
    const values = value['in']
    if (keys.length !== 2 || !Array.isArray(values) || values.length === 0 || values.length > MAX_VALUES)
      throw bad(`filter.${dim}: no list of values`)
    return { dim, in: values.map((each) => checkValue(dim, dimension, each)) }
  }
  const { from, to } = value
  if ((from === undefined && to === undefined) || dim === 'prediction_type')
    throw bad(`filter.${dim}: no range`)
  return {
    dim,
    ...(from === undefined ? {} : { from: checkValue(dim, dimension, from) }),
    ...(to === undefined ? {} : { to: checkValue(dim, dimension, to) }),
  }
}

const TYPES = { text: 'string', integer: 'number', number: 'number', boolean: 'boolean' } as const

function checkValue(dim: string, dimension: Dimension, value: unknown): Scalar {
  if (!isScalar(value) || typeof value !== TYPES[dimension.type]) throw bad(`filter.${dim}: wrong type`)
  if (dimension.type === 'integer' && !Number.isSafeInteger(value))
    throw bad(`filter.${dim}: not a whole number`)
  if (dimension.values && !dimension.values.includes(value)) throw bad(`filter.${dim}: not among the values`)
  try {
    literalOf(dimension, value)
  } catch {
    throw bad(`filter.${dim}: ${String(value).slice(0, 40)}`)
  }
  return value
}

/** A checked value as a literal of the dimension's SQL type. */
export function literalOf(dimension: Dimension, value: Scalar): string {
  if (dimension.literal) return dimension.literal(value)
  if (typeof value === 'number') return number(value)
  return typeof value === 'boolean' ? String(value) : text(value)
}

/**
 * The dimensions that a filter uses.
 *
 * ```ts
 * [...dimensionsOf({ and: [{ dim: 'rank', in: [1] }, { not: { dim: 'going', in: ['good'] } }] })] // => ['rank', 'going']
 * ```
 */
export function dimensionsOf(filter: Filter | null): Set<string> {
  if (filter === null) return new Set()
  if ('and' in filter) return new Set(filter.and.flatMap((part) => [...dimensionsOf(part)]))
  if ('or' in filter) return new Set(filter.or.flatMap((part) => [...dimensionsOf(part)]))
  if ('not' in filter) return dimensionsOf(filter.not)
  return new Set([filter.dim])
}

/**
 * The values of a dimension that the filter's top-level conjunction allows; `null` if
 * it does not restrict them.
 *
 * ```ts
 * impliedValues({ or: [{ dim: 'rank', in: [1] }, { dim: 'rank', in: [2] }] }, 'rank') // => [1, 2]
 * impliedValues(null, 'rank') // => null
 * ```
 */
export function impliedValues(filter: Filter | null, dim: string): Scalar[] | null {
  if (filter === null) return null
  if ('and' in filter) {
    const lists = filter.and.map((part) => impliedValues(part, dim)).filter((values) => values !== null)
    return lists.length === 0
      ? null
      : lists.reduce((left, right) => left.filter((value) => right.includes(value)))
  }
  if ('or' in filter) {
    const lists = filter.or.map((part) => impliedValues(part, dim))
    return lists.length === 0 || lists.includes(null)
      ? null
      : [...new Set(lists.flatMap((list) => list ?? []))]
  }
  return 'in' in filter && filter.dim === dim ? filter.in : null
}

/**
 * The filters that must all hold for a filter to hold.
 *
 * ```ts
 * conjuncts({ dim: 'rank', in: [1] }) // => [{ dim: 'rank', in: [1] }]
 * conjuncts(null) // => []
 * ```
 */
export const conjuncts = (filter: Filter | null): Filter[] =>
  filter === null ? [] : 'and' in filter ? filter.and : [filter]

/**
 * The conjunction of filters, flattened, without the empty ones.
 *
 * ```ts
 * allOf({ dim: 'rank', in: [1] }, null) // => { dim: 'rank', in: [1] }
 * ```
 */
export function allOf(...filters: (Filter | null)[]): Filter | null {
  const parts = filters.flatMap(conjuncts)
  return parts.length === 0 ? null : parts.length === 1 ? parts[0]! : { and: parts }
}

/** A filter as an SQL condition; `true` without one. `clauseSql` compiles one clause. */
export function conditionOf(filter: Filter | null, clauseSql: (clause: Clause) => string): string {
  if (filter === null) return 'true'
  if ('and' in filter)
    return filter.and.length === 0
      ? 'true'
      : `(${filter.and.map((part) => conditionOf(part, clauseSql)).join(' AND ')})`
  if ('or' in filter)
    return filter.or.length === 0
      ? 'false'
      : `(${filter.or.map((part) => conditionOf(part, clauseSql)).join(' OR ')})`
  // Excluding values keeps the rows whose value is unknown (NULL).
  if ('not' in filter) return `((${conditionOf(filter.not, clauseSql)}) IS NOT TRUE)`
  return clauseSql(filter)
}

export type Clause = Extract<Filter, { dim: string }>

/** Compiles one clause over the dimension's expression. */
export function clauseSql(dimension: Dimension, clause: Clause): string {
  const { sql, bins } = dimension
  if ('in' in clause) {
    if (!bins) return `${sql} IN (${clause.in.map((value) => literalOf(dimension, value)).join(', ')})`
    const ranges = clause.in.map((edge) => {
      const at = bins.indexOf(Number(edge))
      if (at < 0) throw bad(`no such band: ${edge}`)
      const low = at === 0 ? `${sql} IS NOT NULL` : `${sql} >= ${number(bins[at]!)}`
      return at === bins.length - 1 ? `(${low})` : `(${low} AND ${sql} < ${number(bins[at + 1]!)})`
    })
    return `(${ranges.join(' OR ')})`
  }
  return [
    ...(clause.from === undefined ? [] : [`${sql} >= ${literalOf(dimension, clause.from)}`]),
    ...(clause.to === undefined ? [] : [`${sql} <= ${literalOf(dimension, clause.to)}`]),
  ].join(' AND ')
}

/** The expression that a dimension is grouped by: its value, or the index of its band. */
export function groupKey({ sql, bins, bandColumn }: Dimension): string {
  return bins ? (bandColumn ?? bandIndex(sql, bins)) : sql
}

/**
 * Index of a number's band, by comparisons: converting a float to an integer is slow in WASM.
 *
 * ```ts
 * bandIndex('odds', [1, 5]) // => '(CASE WHEN odds IS NULL THEN NULL WHEN odds < 5 THEN 0 ELSE 1 END)::TINYINT'
 * ```
 */
export function bandIndex(sql: string, bins: readonly number[]): string {
  const cases = bins.slice(1).map((edge, index) => `WHEN ${sql} < ${number(edge)} THEN ${index}`)
  return `(CASE WHEN ${sql} IS NULL THEN NULL ${cases.join(' ')} ELSE ${bins.length - 1} END)::TINYINT`
}

/** Converts a group's key to the value shown outside of SQL. */
export function shownKey(dimension: Dimension, key: string): string {
  if (dimension.bins) return `[${dimension.bins.map(number).join(', ')}][${key} + 1]::DOUBLE`
  const shown = dimension.show?.(key) ?? key
  if (dimension.type === 'text') return `(${shown})::VARCHAR`
  return dimension.type === 'boolean' ? shown : `(${shown})::DOUBLE`
}
