import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { createContext, use, useEffect, useRef, useState } from 'react'
import type { EngineProgress, OpenedDataset } from '../../contract/engine.ts'
import type { QueryName, QueryParameters, QueryRows } from '../../contract/queries.ts'
import { baseUrl } from './api-client.ts'
import type { QueryAnswer } from './engine-client.ts'
import { useManifest } from './use-region.ts'
import { useVipToken } from './use-session.ts'

/** The engine is a chunk of its own: it comes when a screen first asks for it. */
const engine = () => import('./engine-client.ts')

const MANIFEST_MS = 60_000
const DEFAULT_DEVICE_GB = 4
const SHARE_OF_DEVICE_MB = 300

/** A share of what the browser says that the device has (it tells 8 at most, and some tell nothing). */
function memoryLimitMb(): number {
  const { deviceMemory } = navigator as { deviceMemory?: number }
  return (deviceMemory ?? DEFAULT_DEVICE_GB) * SHARE_OF_DEVICE_MB
}

/** Opens the region for the reader's present right. */
export function useDataset(regionId: string | null): UseQueryResult<OpenedDataset> {
  const token = useVipToken()
  // New files come some time after the results that they hold.
  const newest = useManifest(MANIFEST_MS).data?.asOf
  const tried = useRef<string | null>(null)
  const dataset = useQuery({
    queryKey: ['dataset', regionId, token],
    queryFn: async ({ signal }) => {
      const { openDataset } = await engine()
      // Consumed, so that an opening that was left is not taken for the present one.
      signal.throwIfAborted()
      return openDataset({
        baseUrl: baseUrl(),
        regionId: regionId!,
        token: token ?? null,
        memoryLimitMb: memoryLimitMb(),
      })
    },
    enabled: regionId !== null && token !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    networkMode: 'always',
  })
  const { data, isFetching, refetch } = dataset
  const outdated = data !== undefined && newest !== undefined && !data.offline && data.asOf < newest
  useEffect(() => {
    // New files are there: what is open stays on screen until they are; once for each, for they may not be opened.
    if (!outdated || isFetching || tried.current === newest) return
    tried.current = newest
    void refetch()
  }, [outdated, isFetching, refetch, newest])
  return dataset
}

const OpenedContext = createContext<OpenedDataset | null>(null)
export const OpenedProvider = OpenedContext.Provider

/** The dataset that the screen opened; only below a `DatasetGate`. */
export function useOpened(): OpenedDataset {
  const opened = use(OpenedContext)
  if (!opened) throw new Error('no opened dataset above')
  return opened
}

/** What the engine says while it opens. */
export function useEngineProgress(): EngineProgress | null {
  const [progress, setProgress] = useState<EngineProgress | null>(null)
  useEffect(() => {
    let stop = (): void => {}
    let gone = false
    void engine().then(({ onEngineProgress }) => {
      if (!gone) stop = onEngineProgress(setProgress)
    })
    return () => {
      gone = true
      stop()
    }
  }, [])
  return progress
}

/** Asks a named query of the opened dataset; the answer before stays on screen until the next one is there. */
export function useEngineQuery<Name extends QueryName>(
  name: Name,
  parameters: QueryParameters<Name>,
  options: { enabled?: boolean } = {},
): UseQueryResult<QueryAnswer<QueryRows[Name]>> {
  const { regionId, asOf, history } = useOpened()
  return useQuery({
    queryKey: ['engine', regionId, asOf, history, name, parameters],
    queryFn: async ({ signal }) => (await engine()).runQuery(name, parameters, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
    enabled: options.enabled ?? true,
  })
}
