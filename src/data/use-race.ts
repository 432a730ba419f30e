import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { regionRules } from '../../domain/region.ts'
import {
  queryLastRacePredictionAccuracy,
  queryRaceSubscribe,
  queryRaceTips,
  type Competitor,
  type RaceInfo,
} from '../../contract/api/racing.ts'
import { queryRaceReport, type RaceReport } from '../../contract/api/report.ts'
import { ONE_RACE, competitorsQuery, raceQuery } from './race-queries.ts'
import { useToken } from './client/session.ts'
import { askAgain, raceKeys } from './client/keys.ts'
import { queryFor } from './client/query-for.ts'
import { voucherPage } from '../../contract/api/account.ts'

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
