import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { queryRaceCompetitor, queryRaceInfo } from '../../contract/api/racing.ts'
import { readToken } from './client/session.ts'
import { queryFor } from './client/query-for.ts'

/** Options of queries about one race, as the signed-in user may see it, in their language. */
export const ONE_RACE = { staleTime: 60_000, retry: 1 } as const

export const raceQuery = (raceId: string, locale: string, token: string | null) =>
  queryOptions({
    ...ONE_RACE,
    ...queryFor(queryRaceInfo, { raceId }, locale, token),
  })

export const competitorsQuery = (raceId: string, locale: string, token: string | null) =>
  queryOptions({
    ...ONE_RACE,
    ...queryFor(queryRaceCompetitor, { raceId }, locale, token),
  })

/**
 * Prefetches a race before its screen is loaded, in the page's language, which is the
 * one the server responds in.
 */
export function prefetchRace(client: QueryClient, raceId: string): void {
  const { lang } = document.documentElement
  void client.prefetchQuery(raceQuery(raceId, lang, readToken()))
  void client.prefetchQuery(competitorsQuery(raceId, lang, readToken()))
}
