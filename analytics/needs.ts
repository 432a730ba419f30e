import { MODEL_IDS, type ModelId } from '../contract/model-ids.ts'
import { conjuncts, dimensionsOf, impliedValues, type Filter } from './filter.ts'
import type { Model } from './model.ts'
import { MODELS } from './models.ts'
import { isOwnName } from './own-slots.ts'
import type { Request } from './request.ts'

interface Part {
  by: readonly string[]
  /** Measures or columns. */
  others: readonly string[]
  where: Filter | null
}

/** What a request reads of a model, by filter. */
function partsOf(request: Request): Part[] {
  if ('named' in request) return []
  if ('rows' in request) return [{ by: [], others: request.rows.columns, where: request.rows.where }]
  const { measures, panels } =
    'linked' in request ? request.linked : { ...request.aggregate, panels: [request.aggregate] }
  return panels.map(({ by, where }) => ({ by, others: measures, where }))
}

const modelsOf = (where: Filter | null, by: readonly string[]): readonly ModelId[] => {
  const values =
    by.includes('model') && !dimensionsOf(where).has('model') ? null : impliedValues(where, 'model')
  return values === null ? MODEL_IDS : MODEL_IDS.filter((id) => values.includes(id))
}

/**
 * The models whose records a request may read.
 *
 * ```ts
 * neededModels({ aggregate: { model: 'predictions', by: [], measures: ['hits'], where: { dim: 'model', in: ['blended'] } } }) // => ['blended']
 * ```
 */
export function neededModels(request: Request): ModelId[] {
  if ('named' in request) return 'model' in request.named ? [request.named.model] : []
  const all = partsOf(request).flatMap(({ where, by }) => modelsOf(where, by))
  return MODEL_IDS.filter((id) => all.includes(id))
}

/**
 * Whether a request reads files that are fetched only on demand, which the panels' engine does not open.
 *
 * ```ts
 * needsExtraFiles({ named: { name: 'results' } as never }) // => false
 * ```
 */
export const needsExtraFiles = (request: Request): boolean =>
  'named' in request && (request.named.name === 'odds_trend' || request.named.name === 'reasons')

/**
 * Whether a request reads the details of starters, which the panels’ engine opens once a question reads them.
 *
 * ```ts
 * needsDetails({ aggregate: { model: 'runners', by: ['class_move'], measures: ['runners'], where: null } }) // => true
 * needsDetails({ aggregate: { model: 'runners', by: ['draw'], measures: ['place_rate'], where: null } }) // => true
 * ```
 */
export const needsDetails = (request: Request): boolean => readsOf(request, 'detail')

/**
 * Whether a request reads sectional times, which the panels’ engine opens once a question reads them.
 *
 * ```ts
 * needsSections({ aggregate: { model: 'runners', by: ['run_style'], measures: ['runners'], where: null } }) // => true
 * needsSections({ aggregate: { model: 'runners', by: ['running_style'], measures: ['runners'], where: null } }) // => false
 * ```
 */
export const needsSections = (request: Request): boolean => readsOf(request, 'sections')

/** Whether a dimension or a sum that a request reads is of files that are opened only then. */
function readsOf(request: Request, files: 'detail' | 'sections'): boolean {
  if ('named' in request) return false
  const { model: name } =
    'rows' in request ? request.rows : 'linked' in request ? request.linked : request.aggregate
  const { dimensions, measures, sums }: Model = MODELS[name]
  const isOfFiles = (each: string): boolean =>
    dimensions[each]?.[files] === true ||
    (measures[each]?.sums.some((sum) => sums[sum]![files] === true) ?? false)
  return partsOf(request).some(({ by, others, where }) =>
    [...by, ...others, ...dimensionsOf(where)].some(isOfFiles),
  )
}

/**
 * Whether a request reads the user's own rows, which only the engine on this device has.
 *
 * ```ts
 * needsOwnRows({ aggregate: { model: 'predictions', by: ['own_1'], measures: ['hits'], where: null } }) // => true
 * ```
 */
export const needsOwnRows = (request: Request): boolean =>
  partsOf(request).some(
    ({ by, others, where }) =>
      by.some(isOwnName) || others.some(isOwnName) || [...dimensionsOf(where)].some(isOwnName),
  )

/**
 * First day from which a request needs rows; `null` if it needs all.
 *
 * ```ts
 * neededFrom({ aggregate: { model: 'predictions', by: [], measures: ['hits'], where: { dim: 'day', from: '2024-09-08' } } }) // => '2024-09-08'
 * ```
 */
export function neededFrom(request: Request): string | null {
  const days = partsOf(request).map(({ where }) => firstDay(where))
  return days.length === 0 || days.includes(null) ? null : days.toSorted()[0]!
}

function firstDay(where: Filter | null): string | null {
  const days = conjuncts(where).flatMap((part) =>
    'dim' in part && part.dim === 'day' && 'from' in part && typeof part.from === 'string' ? [part.from] : [],
  )
  return days.toSorted().at(-1) ?? null
}
