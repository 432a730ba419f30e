import {
  queryOptions,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { regionRules } from '../../domain/region.ts'
import {
  fetchCompetitors,
  fetchRace,
  fetchReport,
  type Competitor,
  type RaceInfo,
  type RaceReport,
} from './racing-calls.ts'
import { readToken, useToken } from './session.ts'
import { askAgain, keyOf, raceKeys } from './keys.ts'

/** One race, for who is signed in, in his language. */
const common = { staleTime: 60_000, retry: 1 } as const

const raceQuery = (raceId: string, locale: string, token: string | null) =>
  queryOptions({
    ...common,
    queryKey: keyOf('race', raceId, locale, token),
    queryFn: ({ signal }): Promise<RaceInfo> => fetchRace(raceId, signal),
  })

const competitorsQuery = (raceId: string, locale: string, token: string | null) =>
  queryOptions({
    ...common,
    queryKey: keyOf('competitors', raceId, locale, token),
    queryFn: ({ signal }): Promise<Competitor[]> => fetchCompetitors(raceId, signal),
  })

export function useRace(raceId: string): UseQueryResult<RaceInfo> {
  const { locale } = useIntl()
  return useQuery({ ...raceQuery(raceId, locale, useToken()), enabled: raceId !== '' })
}

export function useCompetitors(raceId: string): UseQueryResult<Competitor[]> {
  const { locale } = useIntl()
  return useQuery({ ...competitorsQuery(raceId, locale, useToken()), enabled: raceId !== '' })
}

/** Asks for a race before its screen is there: in the language of the page, which is the one that answers come in. */
export function prefetchRace(client: QueryClient, raceId: string): void {
  const { lang } = document.documentElement
  void client.prefetchQuery(raceQuery(raceId, lang, readToken()))
  void client.prefetchQuery(competitorsQuery(raceId, lang, readToken()))
}

export function useReport(raceId: string, enabled: boolean): UseQueryResult<RaceReport> {
  const { locale } = useIntl()
  const token = useToken()
  return useQuery({
    ...common,
    queryKey: keyOf('report', raceId, locale, token),
    queryFn: ({ signal }) => fetchReport(raceId, signal),
    enabled: enabled && raceId !== '',
  })
}

/** Makes all of a race be asked again: what may be seen of it has changed. */
export function useRefreshRace(): (raceId: string) => Promise<unknown> {
  const client = useQueryClient()
  return (raceId) =>
    askAgain(
      client,
      ...raceKeys(raceId),
      // Lists that show more, or have one race more.
      'tips',
      keyOf('races', 'subscribe'),
      'own-record',
      'cards',
      'coming',
      'last-record',
      'vouchers',
    )
}

export const zoneOfRace = ({ countryRegionId }: Pick<RaceInfo, 'countryRegionId'>): string =>
  regionRules(countryRegionId).timeZone
