import { requireShort, type Filter } from './filter.ts'
import { planLinked } from './linked.ts'
import { MODELS } from './models.ts'
import { planNamed } from './named.ts'
import { planGroups, type Plan } from './plan.ts'
import type { Request } from './request.ts'
import { planRows } from './rows.ts'
import type { Access } from './source.ts'

function filtersOf(request: Request): (Filter | null)[] {
  if ('aggregate' in request) return [request.aggregate.where]
  if ('linked' in request) return request.linked.panels.map(({ where }) => where)
  if ('rows' in request) return [request.rows.where]
  return 'where' in request.named ? [request.named.where] : []
}

/**
 * Plans any checked request: on the device and on the server, so that both refuse the same ones. Throws `bad-parameters`,
 * `filter-too-long`, `vip-needed`.
 *
 * ```ts
 * import { checkRequest } from './request.ts'
 * const where = { and: [{ dim: 'model', in: ['blended'] }, { dim: 'origin', in: ['locked'] }] }
 * const request = checkRequest({ aggregate: { model: 'predictions', by: ['season'], measures: ['hits'], where } })
 * planRequest(request, { scope: 'public' }).columns.map(({ name }) => name) // => ['season', 'hits']
 * ```
 */
export function planRequest(request: Request, access: Access): Plan {
  for (const where of filtersOf(request)) requireShort(where)
  if ('aggregate' in request) {
    const { model, ...query } = request.aggregate
    return planGroups(MODELS[model], query, access)
  }
  if ('linked' in request) {
    const { model, ...query } = request.linked
    return planLinked(MODELS[model], query, access)
  }
  if ('rows' in request) {
    const { model } = request.rows
    return planRows(model, MODELS[model], request.rows, access)
  }
  return planNamed(request.named, access)
}
