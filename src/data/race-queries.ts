import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { keyOf } from './client/keys.ts'
import { fetchCompetitors, fetchRace, type Competitor, type RaceInfo } from './calls/racing-calls.ts'
import { readToken } from './client/session.ts'

/** Options of queries about one race, as the signed-in user may see it, in their language. */
export const ONE_RACE = { staleTime: 60_000, retry: 1 } as const

export const raceQuery = (raceId: string, locale: string, token: string | null) =>
  queryOptions({
    ...ONE_RACE,
    queryKey: keyOf('race', raceId, locale, token),
    queryFn: ({ signal }): Promise<RaceInfo> => fetchRace(raceId, signal),
  })

export const competitorsQuery = (raceId: string, locale: string, token: string | null) =>
  queryOptions({
    ...ONE_RACE,
    queryKey: keyOf('competitors', raceId, locale, token),
    queryFn: ({ signal }): Promise<Competitor[]> => fetchCompetitors(raceId, signal),
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
