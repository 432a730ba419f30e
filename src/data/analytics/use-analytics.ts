import {
  keepPreviousData,
  queryOptions,
  useQuery,
  type QueryKey,
  type UseQueryResult,
} from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { Priority, RunOptions } from '../../../analytics/connector.ts'
import { needsOwnRows } from '../../../analytics/needs.ts'
import type { Request } from '../../../analytics/request.ts'
import type { Manifest } from '../../../contract/dataset.ts'
import { connectorFor } from './connector.ts'
import type { Rows } from '../../../analytics/cells.ts'
import { keyOf } from '../client/call.ts'
import { ownSlotsNow } from './own-rows.ts'
import { askRemote, decoded } from './remote.ts'

/** The data that a screen queries: a region at a manifest's version, with the user's access. */
export interface AnalyticsScope {
  regionId: string
  asOf: string
  /**
   * Whether the whole history can be queried row by row; otherwise daily totals, and the
   * rows of the seven days up to the last race day.
   */
  history: boolean
  /**
   * Token of a member: lists include the races that the member has unlocked. `null` for visitors,
   * and for VIPs, who see all.
   */
  member: string | null
  /** First and last race day. */
  from: string | null
  to: string | null
}

/** The scope of a region in a manifest. */
export function scopeOf(
  manifest: Manifest,
  regionId: string,
  history: boolean,
  member: string | null,
): AnalyticsScope {
  const days = manifest.files
    .filter((file) => file.regionId === regionId && file.kind === 'racing')
    .flatMap(({ from, to }) => [from, to])
    .filter((day) => day !== null)
    .toSorted()
  return { regionId, asOf: manifest.asOf, history, member, from: days[0] ?? null, to: days.at(-1) ?? null }
}

const ScopeContext = createContext<AnalyticsScope | null>(null)
export const ScopeProvider = ScopeContext.Provider

/** The scope of the screen; requires an `AnalyticsGate` above. */
export function useScope(): AnalyticsScope {
  const scope = use(ScopeContext)
  if (!scope) throw new Error('no analytics scope above')
  return scope
}

export interface ViewOptions {
  priority?: Priority
  enabled?: boolean
}

/** Key prefix of every result, used to invalidate them when new rows are known. */
export const ANALYTICS_KEY = 'analytics'

/** Rows of races that a member has unlocked are in no public file. */
const isOwnRecord = ({ member }: AnalyticsScope, request: Request): boolean =>
  member !== null && 'rows' in request

/** The key of a request's result: the same wherever it is answered, so that a figure is never requested twice. */
export function analyticsKey(scope: AnalyticsScope, request: Request): QueryKey {
  const { regionId, asOf, history, member } = scope
  if (isOwnRecord(scope, request)) return keyOf('own-record', member, regionId, asOf, request)
  const ownVersion = needsOwnRows(request) ? [ownSlotsNow(regionId)?.version] : []
  return [ANALYTICS_KEY, regionId, asOf, history, request, ...ownVersion]
}

/** The rows of a request. It is sent before anything is awaited: the engine works while the page handles the click. */
export function fetchRows(
  scope: AnalyticsScope,
  request: Request,
  { signal, priority = 'interactive' }: Partial<RunOptions>,
): Promise<Rows> {
  const { regionId } = scope
  const response = isOwnRecord(scope, request)
    ? askRemote(regionId, request, signal ? { signal } : {}, 'own')
    : connectorFor(scope).run(request, { priority, ...(signal ? { signal } : {}) })
  return decoded(request, response)
}

/**
 * Options of every result: it is complete and new, so comparing it row by row with the previous one would find nothing to
 * share.
 */
export const RESULT_OPTIONS = {
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
  retry: false,
} as const

/** A request's result as a query. */
export const analyticsQuery = (scope: AnalyticsScope, request: Request, priority?: Priority) =>
  queryOptions({
    queryKey: analyticsKey(scope, request),
    queryFn: ({ signal }): Promise<Rows> =>
      fetchRows(scope, request, { signal, ...(priority ? { priority } : {}) }),
    ...RESULT_OPTIONS,
  })

/** Runs a view's query; the previous result stays on screen until the next one arrives. */
export function useAnalytics(
  request: Request,
  { priority, enabled = true }: ViewOptions = {},
): UseQueryResult<Rows> {
  const scope = useScope()
  return useQuery({
    ...analyticsQuery(scope, request, priority),
    placeholderData: keepPreviousData,
    enabled,
  })
}
