import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ResultOf } from '../../../contract/api/endpoint.ts'
import type * as model from '../../../contract/api/model.ts'
import { get } from '../client/api-client.ts'
import { useToken } from '../client/session.ts'
import { keyOf } from '../client/keys.ts'

/** Calls about prediction locks and the model card. */

export type RaceLocks = ResultOf<typeof model.queryRaceLocks>
export type LockedForecast = ResultOf<typeof model.queryLockedForecasts>[number]
export type LockChain = ResultOf<typeof model.queryLockChain>
export type AccuracyDetail = ResultOf<typeof model.queryAccuracyDetail>
export type ModelCardAnswer = ResultOf<typeof model.queryModelCard>

const common = { staleTime: 60_000, retry: 1 } as const

export const fetchRaceLocks = (raceId: string, signal?: AbortSignal): Promise<RaceLocks> =>
  get('race/api/queryRaceLocks', { raceId }, signal)

export const fetchLockedForecasts = (raceId: string, signal?: AbortSignal): Promise<LockedForecast[]> =>
  get('race/api/queryLockedForecasts', { raceId }, signal)

/** The entries of a region's chain in a range, and the hash that precedes the first. */
export async function fetchLockChain(countryRegionId: string, from: number, to: number): Promise<LockChain> {
  const chain: LockChain = { previous: '', entries: [] }
  while ((chain.entries.at(-1)?.number ?? from - 1) < to) {
    const next = (chain.entries.at(-1)?.number ?? from - 1) + 1
    const page = await get('race/api/queryLockChain', { countryRegionId, fromNumber: next })
    if (page.entries.length === 0) break
    if (next === from) chain.previous = page.previous
    chain.entries.push(...page.entries.filter(({ number }) => number <= to))
  }
  return chain
}

/** Hits and misses of the first choice to win over the last days, including today. */
export const fetchAccuracy = (
  countryRegionId: string,
  days: number,
  signal?: AbortSignal,
): Promise<AccuracyDetail> => get('race/api/queryAccuracyDetail', { days: -days, countryRegionId }, signal)

const fetchModelCard = (countryRegionId: string, signal?: AbortSignal): Promise<ModelCardAnswer> =>
  get('race/api/queryModelCard', { countryRegionId }, signal)

export function useRaceLocks(raceId: string): UseQueryResult<RaceLocks> {
  return useQuery({
    ...common,
    queryKey: keyOf('locks', raceId),
    queryFn: ({ signal }) => fetchRaceLocks(raceId, signal),
  })
}

export function useModelCard(regionId: string | null, enabled: boolean): UseQueryResult<ModelCardAnswer> {
  const token = useToken()
  return useQuery({
    ...common,
    queryKey: keyOf('model-card', regionId, token),
    queryFn: ({ signal }) => fetchModelCard(regionId!, signal),
    enabled: enabled && regionId !== null,
  })
}
