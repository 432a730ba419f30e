import {
  keepPreviousData,
  queryOptions,
  useQuery,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { Priority } from '../../../analytics/connector.ts'
import type { Request } from '../../../analytics/request.ts'
import type { Manifest } from '../../../contract/dataset.ts'
import { connectorFor } from './connector.ts'
import type { Rows } from './decode.ts'
import { keyOf } from '../keys.ts'
import { decoder } from './parts.ts'
import { askRemote } from './remote.ts'

/** The data that a screen asks about: a region as of a manifest, with the reader's right. */
export interface AnalyticsScope {
  regionId: string
  asOf: string
  /** The whole history may be asked row by row; else daily totals, and the rows of the last seven days. */
  history: boolean
  /** Token of a member: lists include the races that the member has unlocked. `null` for visitors, and for VIPs, who see all. */
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

/** The scope of the screen; only below an `AnalyticsGate`. */
export function useScope(): AnalyticsScope {
  const scope = use(ScopeContext)
  if (!scope) throw new Error('no analytics scope above')
  return scope
}

export interface ViewOptions {
  priority?: Priority
  enabled?: boolean
}

/** Key prefix of every answer; screens that learn of new rows invalidate by it. */
export const ANALYTICS_KEY = 'analytics'

/** A question and its key: the same wherever it is answered, so that a figure is never asked twice. */
export const analyticsQuery = (
  { regionId, asOf, history, member }: AnalyticsScope,
  request: Request,
  priority: Priority = 'interactive',
) => {
  // Races that a member has unlocked are in no public file.
  const own = member !== null && 'rows' in request
  return queryOptions({
    queryKey: own
      ? keyOf('own-record', member, regionId, asOf, request)
      : [ANALYTICS_KEY, regionId, asOf, history, request],
    queryFn: async ({ signal }): Promise<Rows> => {
      // The question goes out before anything is waited for: the engine works while the page takes in the click.
      const asked = own
        ? askRemote(regionId, request, { signal }, 'own')
        : connectorFor({ regionId, asOf, history }).run(request, { signal, priority })
      const [answer, { readAnswer }] = await Promise.all([asked, decoder.load()])
      return readAnswer(request, answer)
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Answers are whole and new: comparing them row by row with the ones before finds nothing to share.
    structuralSharing: false,
    retry: false,
  } satisfies UseQueryOptions<Rows>)
}

/** Asks a question of a view; the answer before stays on screen until the next one is there. */
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
