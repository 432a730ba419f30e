import { FurlongError } from '../domain/errors.ts'
import { bad, checkFilter, type Filter } from './filter.ts'
import { checkPanels, checkSort, fieldsOf, modelOf, namesOf, wholeNumber, type Sort } from './check.ts'
import type { Model } from './model.ts'
import type { ModelName } from './models.ts'
import { checkNamed, type NamedRequest } from './named.ts'
import { checkRows, type RowsRequest } from './rows.ts'

/** Groups and their figures. */
export interface Aggregate {
  model: ModelName
  by: string[]
  measures: string[]
  where: Filter | null
  sort?: Sort[]
  limit?: number
  /** Adds `…_low` and `…_high` to each ratio: 95% intervals, clustered by meeting. */
  intervals?: boolean
}

/**
 * Many groupings in one statement. Each panel has a separate filter, because a clicked view
 * ignores its own selection.
 */
export interface Linked extends Pick<Aggregate, 'model' | 'measures' | 'intervals'> {
  panels: { by: string[]; where: Filter | null }[]
}

export type Request =
  | { aggregate: Aggregate }
  | { linked: Linked }
  | { rows: RowsRequest }
  | { named: NamedRequest }

declare const checked: unique symbol
/** A request that may be compiled as it is: from `checkRequest`, or built by this program from checked parts. */
export type CheckedRequest = Request & { readonly [checked]: true }

/**
 * A request that the program's own code has built. What came from outside, such as a filter in an address, was checked where
 * it entered (`readFilter`, `checkFilter`), so the whole is not checked again.
 *
 * ```ts
 * builtRequest({ named: { name: 'live_races' } }) // => { named: { name: 'live_races' } }
 * ```
 */
export const builtRequest = (request: Request): CheckedRequest => request as CheckedRequest

const AGGREGATE_FIELDS = ['model', 'by', 'measures', 'where', 'sort', 'limit', 'intervals']
const MAX_MEASURES = 40
const MAX_GROUPS = 5000

/**
 * Checks an untrusted request field by field. Throws `bad-parameters`, `unknown-query`.
 *
 * ```ts
 * checkRequest({ aggregate: { model: 'predictions', by: ['season'], measures: ['hits'] } }) // => { aggregate: { model: 'predictions', by: ['season'], measures: ['hits'], where: null } }
 * ```
 */
export function checkRequest(value: unknown): CheckedRequest {
  const fields = fieldsOf(value, 'request')
  const [kind, ...others] = Object.keys(fields)
  if (others.length > 0) throw bad('request: more than one kind')
  if (kind === 'aggregate') return builtRequest({ aggregate: checkAggregate(fields['aggregate']) })
  if (kind === 'linked') return builtRequest({ linked: checkLinked(fields['linked']) })
  if (kind === 'rows') return builtRequest({ rows: checkRows(fields['rows']) })
  if (kind === 'named') return builtRequest({ named: checkNamed(fields['named']) })
  throw new FurlongError('unknown-query', { name: String(kind).slice(0, 40) })
}

function checkMeasures(model: Model, value: unknown): string[] {
  const measures = namesOf(value, model.measures, 'measures', MAX_MEASURES)
  if (measures.length === 0) throw bad('measures: none')
  return measures
}

function checkAggregate(value: unknown): Aggregate {
  const fields = fieldsOf(value, 'aggregate', AGGREGATE_FIELDS)
  const { name, model } = modelOf(fields['model'])
  const by = namesOf(fields['by'], model.dimensions, 'by', 4)
  const measures = checkMeasures(model, fields['measures'])
  if (new Set([...by, ...measures]).size < by.length + measures.length) throw bad('by, measures: named twice')
  const sortable = Object.fromEntries([...by, ...measures].map((each) => [each, true]))
  return {
    model: name,
    by,
    measures,
    where: checkFilter(model, fields['where']),
    ...(fields['sort'] === undefined ? {} : { sort: checkSort(fields['sort'], sortable, 'sort') }),
    ...(fields['limit'] === undefined ? {} : { limit: wholeNumber(fields['limit'], 'limit', 1, MAX_GROUPS) }),
    ...(fields['intervals'] === true ? { intervals: true } : {}),
  }
}

function checkLinked(value: unknown): Linked {
  const fields = fieldsOf(value, 'linked', ['model', 'panels', 'measures', 'intervals'])
  const { name, model } = modelOf(fields['model'])
  const measures = checkMeasures(model, fields['measures'])
  return {
    model: name,
    measures,
    panels: checkPanels(model, fields['panels']),
    ...(fields['intervals'] === true ? { intervals: true } : {}),
  }
}
