import { dimensionsOf, type Filter } from './filter.ts'
import type { Model, Scalar } from './model.ts'

/**
 * A view's filter is a conjunction of clauses, at most one per dimension, so that the user can
 * add and remove each one.
 */
export interface Range {
  from?: Scalar
  to?: Scalar
}

const partsOf = (filter: Filter | null): Filter[] =>
  filter === null ? [] : 'and' in filter ? filter.and : [filter]
const isOf =
  (dim: string) =>
  (part: Filter): boolean =>
    'dim' in part && part.dim === dim
const joined = (parts: Filter[]): Filter | null => (parts.length === 0 ? null : { and: parts })

const isExclusionOf =
  (dim: string) =>
  (part: Filter): boolean =>
    'not' in part && isOf(dim)(part.not)

/** The range that a filter selects in a dimension; `null` if there is none. */
export function pickedRange(filter: Filter | null, dim: string): Range | null {
  const clause = partsOf(filter).find(isOf(dim))
  return clause && ('from' in clause || 'to' in clause) ? clause : null
}

/** The values of a dimension that a filter excludes. */
export function excludedValues(filter: Filter | null, dim: string): Scalar[] {
  const clause = partsOf(filter).find(isExclusionOf(dim))
  return clause && 'not' in clause && 'in' in clause.not ? clause.not.in : []
}

/** The values of a dimension that a filter selects; empty means any value. */
export function pickedValues(filter: Filter | null, dim: string): Scalar[] {
  const clause = partsOf(filter).find(isOf(dim))
  return clause && 'in' in clause ? clause.in : []
}

/**
 * The filter with these values of a dimension; without values, the clause is removed. Clauses stay in order.
 */
export function withValues(filter: Filter | null, dim: string, values: readonly Scalar[]): Filter | null {
  return replaced(filter, dim, values.length === 0 ? null : { dim, in: [...values] })
}

export function withRange(filter: Filter | null, dim: string, { from, to }: Range): Filter | null {
  const empty = from === undefined && to === undefined
  const clause = { dim, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  return replaced(filter, dim, empty ? null : clause)
}

/** The filter with a value added if it was not selected, and removed if it was. */
export const toggled = (filter: Filter | null, dim: string, value: Scalar): Filter | null =>
  withValues(filter, dim, toggledList(pickedValues(filter, dim), value))

const toggledList = (values: readonly Scalar[], value: Scalar): Scalar[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value]

/**
 * How a gesture changes the selection in a dimension: select only this value, add it to
 * the others, or exclude it.
 */
export type Pick = 'only' | 'add' | 'exclude'

/** The filter after a gesture on a value; repeating the gesture undoes it. */
export const afterPick = (filter: Filter | null, dim: string, value: Scalar, how: Pick): Filter | null =>
  afterPicks(filter, [[dim, value]], how)

/**
 * The same for values of several dimensions at once. `only` deselects them when they are exactly the current
 * selection, and otherwise selects them.
 */
export function afterPicks(
  filter: Filter | null,
  picks: readonly (readonly [dim: string, value: Scalar])[],
  how: Pick,
): Filter | null {
  const again = picks.every(([dim, value]) => {
    const values = pickedValues(filter, dim)
    return values.length === 1 && values[0] === value
  })
  return picks.reduce<Filter | null>((next, [dim, value]) => {
    if (how === 'exclude') {
      const left = excludedValues(next, dim)
      return withExcluded(withValues(next, dim, []), dim, toggledList(left, value))
    }
    const others = withExcluded(next, dim, [])
    return how === 'add' ? toggled(others, dim, value) : withValues(others, dim, again ? [] : [value])
  }, filter)
}

/** The filter that excludes these values of a dimension; without values, the exclusion is removed. */
export function withExcluded(filter: Filter | null, dim: string, values: readonly Scalar[]): Filter | null {
  const parts = partsOf(filter).filter((part) => !isExclusionOf(dim)(part))
  return joined(values.length === 0 ? parts : [...parts, { not: { dim, in: [...values] } }])
}

/** The filter without any clause on one of the dimensions, exclusions included. */
export function without(filter: Filter | null, dims: readonly string[]): Filter | null {
  return joined(
    partsOf(filter).filter((part) => !dims.some((dim) => isOf(dim)(part) || isExclusionOf(dim)(part))),
  )
}

function replaced(filter: Filter | null, dim: string, clause: Filter | null): Filter | null {
  const parts = partsOf(filter)
  const at = parts.findIndex(isOf(dim))
  if (at < 0) return joined(clause === null ? parts : [...parts, clause])
  return joined(clause === null ? parts.toSpliced(at, 1) : parts.toSpliced(at, 1, clause))
}

/**
 * The filter with its clauses in the model's order, so that equal filters share one
 * address and one cached result.
 */
export function inModelOrder(model: Model, filter: Filter | null): Filter | null {
  const order = Object.keys(model.dimensions)
  const placeOf = (part: Filter): number =>
    Math.min(...[...dimensionsOf(part)].map((dim) => order.indexOf(dim)))
  return joined(partsOf(filter).toSorted((a, b) => placeOf(a) - placeOf(b)))
}
