import { MODEL_IDS, type ModelId } from '../contract/model-ids.ts'
import { dimensionsOf, impliedValues, type Filter } from './filter.ts'
import { isOwnName } from './own-slots.ts'
import type { Request } from './request.ts'

const modelsOf = (where: Filter | null, by: readonly string[] = []): readonly ModelId[] => {
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
  if ('aggregate' in request) return [...modelsOf(request.aggregate.where, request.aggregate.by)]
  if ('rows' in request) return [...modelsOf(request.rows.where)]
  if ('linked' in request) {
    const all = request.linked.panels.flatMap(({ where, by }) => modelsOf(where, by))
    return MODEL_IDS.filter((id) => all.includes(id))
  }
  return 'model' in request.named ? [request.named.model] : []
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
 * Whether a request reads the user's own rows, which only the engine on this device has.
 *
 * ```ts
 * needsOwnRows({ aggregate: { model: 'predictions', by: ['own_1'], measures: ['hits'], where: null } }) // => true
 * ```
 */
export function needsOwnRows(request: Request): boolean {
  if ('named' in request) return false
  const names =
    'aggregate' in request
      ? [...request.aggregate.by, ...request.aggregate.measures, ...dimensionsOf(request.aggregate.where)]
      : 'rows' in request
        ? [...request.rows.columns, ...dimensionsOf(request.rows.where)]
        : [
            ...request.linked.measures,
            ...request.linked.panels.flatMap(({ by, where }) => [...by, ...dimensionsOf(where)]),
          ]
  return names.some(isOwnName)
}

/**
 * First day from which a request needs rows; `null` if it needs all.
 *
 * ```ts
 * neededFrom({ aggregate: { model: 'predictions', by: [], measures: ['hits'], where: { dim: 'day', from: '2024-09-08' } } }) // => '2024-09-08'
 * ```
 */
export function neededFrom(request: Request): string | null {
  const filters =
    'aggregate' in request
      ? [request.aggregate.where]
      : 'rows' in request
        ? [request.rows.where]
        : 'linked' in request
          ? request.linked.panels.map(({ where }) => where)
          : []
  const days = filters.map(firstDay)
  return days.length === 0 || days.includes(null) ? null : days.toSorted()[0]!
}

function firstDay(where: Filter | null): string | null {
  const parts = where === null ? [] : 'and' in where ? where.and : [where]
  const days = parts.flatMap((part) =>
    'dim' in part && part.dim === 'day' && 'from' in part && typeof part.from === 'string' ? [part.from] : [],
  )
  return days.toSorted().at(-1) ?? null
}
