import { conjuncts, dimensionsOf, type Filter } from './filter.ts'
import type { HasDimensions, Scalar } from './model.ts'

/**
 * A view's filter is a conjunction of clauses, at most one per dimension, so that the user can
 * add and remove each one.
 */
export interface Range {
  from?: Scalar
  to?: Scalar
}

const isOf =
  (dim: string) =>
  (part: Filter): boolean =>
    'dim' in part && part.dim === dim
const joined = (parts: Filter[]): Filter | null => (parts.length === 0 ? null : { and: parts })

const isExclusionOf =
  (dim: string) =>
  (part: Filter): boolean =>
    'not' in part && isOf(dim)(part.not)

/**
 * The range that a filter selects in a dimension; `null` if there is none.
 *
 * ```ts
 * pickedRange({ and: [{ dim: 'distance', from: 1000, to: 1200 }] }, 'distance') // => { dim: 'distance', from: 1000, to: 1200 }
 * ```
 */
export function pickedRange(filter: Filter | null, dim: string): Range | null {
  const clause = conjuncts(filter).find(isOf(dim))
  return clause && ('from' in clause || 'to' in clause) ? clause : null
}

/**
 * The values of a dimension that a filter excludes.
 *
 * ```ts
 * excludedValues({ and: [{ not: { dim: 'going', in: ['heavy'] } }] }, 'going') // => ['heavy']
 * ```
 */
export function excludedValues(filter: Filter | null, dim: string): Scalar[] {
  const clause = conjuncts(filter).find(isExclusionOf(dim))
  return clause && 'not' in clause && 'in' in clause.not ? clause.not.in : []
}

/**
 * The values of a dimension that a filter selects; empty means any value.
 *
 * ```ts
 * pickedValues({ and: [{ dim: 'rank', in: [1, 2] }] }, 'rank') // => [1, 2]
 * pickedValues(null, 'rank') // => []
 * ```
 */
export function pickedValues(filter: Filter | null, dim: string): Scalar[] {
  const clause = conjuncts(filter).find(isOf(dim))
  return clause && 'in' in clause ? clause.in : []
}

/**
 * The filter with these values of a dimension; without values, the clause is removed. Clauses stay in order.
 *
 * ```ts
 * withValues(null, 'rank', [1]) // => { and: [{ dim: 'rank', in: [1] }] }
 * withValues({ and: [{ dim: 'rank', in: [1] }] }, 'rank', []) // => null
 * ```
 */
export function withValues(filter: Filter | null, dim: string, values: readonly Scalar[]): Filter | null {
  return replaced(filter, dim, values.length === 0 ? null : { dim, in: [...values] })
}

/**
 * The filter with this range of a dimension, both ends inclusive; without ends, the clause is removed.
 *
 * ```ts
 * withRange(null, 'day', { from: '2024-09-08' }) // => { and: [{ dim: 'day', from: '2024-09-08' }] }
 * ```
 */
export function withRange(filter: Filter | null, dim: string, { from, to }: Range): Filter | null {
  const empty = from === undefined && to === undefined
  const clause = { dim, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  return replaced(filter, dim, empty ? null : clause)
}

/**
 * The filter with a value added if it was not selected, and removed if it was.
 *
 * ```ts
 * toggled({ and: [{ dim: 'rank', in: [1] }] }, 'rank', 2) // => { and: [{ dim: 'rank', in: [1, 2] }] }
 * toggled({ and: [{ dim: 'rank', in: [1] }] }, 'rank', 1) // => null
 * ```
 */
export const toggled = (filter: Filter | null, dim: string, value: Scalar): Filter | null =>
  withValues(filter, dim, toggledList(pickedValues(filter, dim), value))

const toggledList = (values: readonly Scalar[], value: Scalar): Scalar[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value]

/**
 * How a gesture changes the selection in a dimension: select only this value, add it to
 * the others, or exclude it.
 */
export type Pick = 'only' | 'add' | 'exclude'

/**
 * The filter after a gesture on a value; repeating the gesture undoes it.
 *
 * ```ts
 * afterPick(null, 'rank', 1, 'only') // => { and: [{ dim: 'rank', in: [1] }] }
 * afterPick(null, 'rank', 1, 'exclude') // => { and: [{ not: { dim: 'rank', in: [1] } }] }
 * ```
 */
export const afterPick = (filter: Filter | null, dim: string, value: Scalar, how: Pick): Filter | null =>
  afterPicks(filter, [[dim, value]], how)

/**
 * The same for values of several dimensions at once. `only` deselects them when they are exactly the current
 * selection, and otherwise selects them.
 *
 * ```ts
 * afterPicks(null, [['rank', 1], ['going', 'good']], 'only') // => { and: [{ dim: 'rank', in: [1] }, { dim: 'going', in: ['good'] }] }
 * ```
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

/**
 * The filter that excludes these values of a dimension; without values, the exclusion is removed.
 *
 * ```ts
 * withExcluded(null, 'rank', [3]) // => { and: [{ not: { dim: 'rank', in: [3] } }] }
 * ```
 */
export function withExcluded(filter: Filter | null, dim: string, values: readonly Scalar[]): Filter | null {
  const parts = conjuncts(filter).filter((part) => !isExclusionOf(dim)(part))
  return joined(values.length === 0 ? parts : [...parts, { not: { dim, in: [...values] } }])
}

/**
 * The filter without any clause on one of the dimensions, exclusions included.
 *
 * ```ts
 * without({ and: [{ dim: 'rank', in: [1] }, { dim: 'going', in: ['good'] }] }, ['going']) // => { and: [{ dim: 'rank', in: [1] }] }
 * ```
 */
export function without(filter: Filter | null, dims: readonly string[]): Filter | null {
  return joined(
    conjuncts(filter).filter((part) => !dims.some((dim) => isOf(dim)(part) || isExclusionOf(dim)(part))),
  )
}

function replaced(filter: Filter | null, dim: string, clause: Filter | null): Filter | null {
  const parts = conjuncts(filter)
  const at = parts.findIndex(isOf(dim))
  const written = clause === null ? [] : [clause]
  return joined(at < 0 ? [...parts, ...written] : parts.toSpliced(at, 1, ...written))
}

/**
 * The filter with its clauses in the model's order, so that equal filters share one
 * address and one cached result.
 *
 * ```ts
 * import { PREDICTIONS } from './predictions.ts'
 * inModelOrder(PREDICTIONS, { and: [{ dim: 'rank', in: [1] }, { dim: 'season', in: [2024] }] }) // => { and: [{ dim: 'season', in: [2024] }, { dim: 'rank', in: [1] }] }
 * ```
 */
export function inModelOrder(model: HasDimensions, filter: Filter | null): Filter | null {
  const order = Object.keys(model.dimensions)
  const placeOf = (part: Filter): number =>
    Math.min(...[...dimensionsOf(part)].map((dim) => order.indexOf(dim)))
  return joined(conjuncts(filter).toSorted((a, b) => placeOf(a) - placeOf(b)))
}
