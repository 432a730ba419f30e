import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
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
import { useToken } from './session.ts'

/** One race, for who is signed in, in his language. */
const common = { staleTime: 60_000, retry: 1, networkMode: 'always' } as const

export function useRace(raceId: string): UseQueryResult<RaceInfo> {
  const { locale } = useIntl()
  const token = useToken()
  return useQuery({
    ...common,
    queryKey: ['race', raceId, locale, token],
    queryFn: ({ signal }) => fetchRace(raceId, signal),
    enabled: raceId !== '',
  })
}

export function useCompetitors(raceId: string): UseQueryResult<Competitor[]> {
  const { locale } = useIntl()
  const token = useToken()
  return useQuery({
    ...common,
    queryKey: ['competitors', raceId, locale, token],
    queryFn: ({ signal }) => fetchCompetitors(raceId, signal),
    enabled: raceId !== '',
  })
}

export function useReport(raceId: string, enabled: boolean): UseQueryResult<RaceReport> {
  const { locale } = useIntl()
  const token = useToken()
  return useQuery({
    ...common,
    queryKey: ['report', raceId, locale, token],
    queryFn: ({ signal }) => fetchReport(raceId, signal),
    enabled: enabled && raceId !== '',
  })
}

/** Makes all of a race be asked again: what may be seen of it has changed. */
export function useRefreshRace(): (raceId: string) => Promise<unknown> {
  const client = useQueryClient()
  return (raceId) =>
    Promise.all([
      ...['race', 'competitors', 'predictions', 'report'].map((key) =>
        client.invalidateQueries({ queryKey: [key, raceId] }),
      ),
      // Lists that tell more, or have one race more.
      ...[['tips'], ['races', 'subscribe'], ['own-record'], ['last-record'], ['vouchers']].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    ])
}

export const zoneOfRace = ({ countryRegionId }: Pick<RaceInfo, 'countryRegionId'>): string =>
  regionRules(countryRegionId).timeZone
