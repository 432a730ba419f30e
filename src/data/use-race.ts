import {
  queryOptions,
  type QueryClient,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import {
  queryRaceCompetitor,
  queryRaceInfo,
  queryLastRacePredictionAccuracy,
  queryRaceSubscribe,
  queryRaceTips,
  type Competitor,
  type RaceInfo,
} from '../../contract/api/racing.ts'
import { readToken, useToken } from './client/session.ts'
import { queryFor, askAgain, raceKeys } from './client/call.ts'
import { useIntl } from 'react-intl'
import { regionRules } from '../../domain/region.ts'
import { queryRaceReport, type RaceReport } from '../../contract/api/report.ts'
import { voucherPage } from '../../contract/api/account.ts'

/** Options of queries about one race, as the signed-in user may see it, in their language. */
export const ONE_RACE = { staleTime: 60_000, retry: 1 } as const

const raceQuery = (raceId: string, locale: string, token: string | null) =>
  queryOptions({
    ...ONE_RACE,
    ...queryFor(queryRaceInfo, { raceId }, locale, token),
  })

const competitorsQuery = (raceId: string, locale: string, token: string | null) =>
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

export function useRace(raceId: string): UseQueryResult<RaceInfo> {
  const { locale } = useIntl()
  return useQuery({ ...raceQuery(raceId, locale, useToken()), enabled: raceId !== '' })
}

export function useCompetitors(raceId: string): UseQueryResult<Competitor[]> {
  const { locale } = useIntl()
  return useQuery({ ...competitorsQuery(raceId, locale, useToken()), enabled: raceId !== '' })
}

export function useReport(raceId: string, enabled: boolean): UseQueryResult<RaceReport> {
  const { locale } = useIntl()
  const token = useToken()
  return useQuery({
    ...ONE_RACE,
    ...queryFor(queryRaceReport, { raceId }, locale, token),
    enabled: enabled && raceId !== '',
  })
}

/** Refetches everything about a race after the user's access to it has changed. */
export function useRefreshRace(): (raceId: string) => Promise<unknown> {
  const client = useQueryClient()
  return (raceId) =>
    askAgain(
      client,
      ...raceKeys(raceId),
      // Lists that now show more details or one more race.
      queryRaceTips,
      queryRaceSubscribe,
      'own-record',
      'cards',
      'coming',
      queryLastRacePredictionAccuracy,
      voucherPage,
    )
}

export const zoneOfRace = ({ countryRegionId }: Pick<RaceInfo, 'countryRegionId'>): string =>
  regionRules(countryRegionId).timeZone
