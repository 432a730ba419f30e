import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { voucherPage } from '../../contract/api/account.ts'
import {
  queryMeetingResults,
  queryRaceCompetitor,
  queryRaceInfo,
  queryRacePageDesc,
  queryRaceSubscribe,
  queryRaceTips,
  type MeetingRace,
  type RaceInfo,
  type ScheduledRace,
} from '../../contract/api/racing.ts'
import { queryRaceReport } from '../../contract/api/report.ts'
import { parseRaceId } from '../../domain/race-id.ts'
import { askAgain, queryFor, raceKeys } from './client/call.ts'
import { readToken, useToken, type Token } from './client/session.ts'
import { UNPREDICTED_MS } from './use-racing.ts'

/** What a race's responses depend on besides the race. */
type Scope = readonly [language: string, token: Token | null]

/** Options of queries about one race, as the signed-in user may see it, in their language. */
export const ONE_RACE = { staleTime: 60_000, retry: 1 } as const

const raceQuery = (raceId: string, ...scope: Scope) => ({
  ...ONE_RACE,
  ...queryFor(queryRaceInfo, { raceId }, ...scope),
})

const competitorsQuery = (raceId: string, ...scope: Scope) => ({
  ...ONE_RACE,
  ...queryFor(queryRaceCompetitor, { raceId }, ...scope),
})

/** Prefetches a race before its screen is loaded, in the page's language, which is the one the server responds in. */
export function prefetchRace(client: QueryClient, raceId: string): void {
  const scope = [document.documentElement.lang, readToken()] as const
  void client.prefetchQuery(raceQuery(raceId, ...scope))
  void client.prefetchQuery(competitorsQuery(raceId, ...scope))
}

/** A race as its screen will show it: from the cache if it is there. */
export const fetchRace = (client: QueryClient, raceId: string): Promise<RaceInfo> =>
  client.fetchQuery(raceQuery(raceId, document.documentElement.lang, readToken()))

const useScope = (): Scope => [useIntl().locale, useToken()]

export const useRace = (raceId: string) =>
  useQuery({
    ...raceQuery(raceId, ...useScope()),
    enabled: raceId !== '',
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'scheduled' && data.models.length === 0 ? UNPREDICTED_MS : false,
  })

export const useCompetitors = (raceId: string) =>
  useQuery({ ...competitorsQuery(raceId, ...useScope()), enabled: raceId !== '' })

export const useReport = (raceId: string, enabled: boolean) =>
  useQuery({
    ...ONE_RACE,
    ...queryFor(queryRaceReport, { raceId }, ...useScope()),
    enabled: enabled && raceId !== '',
  })

/** More races than a region has on one day. */
const DAY_RACES = 60
const NO_RACES: readonly ScheduledRace[] = []

/** The races of a race's meeting, in order; none until they are known. */
export function useMeeting({
  raceId,
  countryRegionId,
  date,
}: Pick<RaceInfo, 'raceId' | 'countryRegionId' | 'date'>): readonly ScheduledRace[] {
  const page = { countryRegionId, today: date, pageSize: DAY_RACES }
  const { data = NO_RACES } = useQuery({
    ...ONE_RACE,
    ...queryFor(queryRacePageDesc, page, useIntl().locale),
  })
  return useMemo(() => {
    const { stadium } = parseRaceId(raceId)
    return data.filter((race) => race.date === date && parseRaceId(race.id).stadium === stadium)
  }, [data, raceId, date])
}

/** How our first choices to win of a race's meeting ended, by race, as far as the viewer may know; asked for once `isRun`. */
export function useOutcomes(
  { countryRegionId, date }: RaceInfo,
  isRun: boolean,
): ReadonlyMap<string, NonNullable<MeetingRace['pick']>['outcome']> {
  const scope = useScope()
  const { data } = useQuery({
    ...ONE_RACE,
    ...queryFor(queryMeetingResults, isRun ? { countryRegionId, today: date } : null, ...scope),
  })
  return useMemo(
    () =>
      new Map(
        (data ?? []).flatMap(({ races }) =>
          races.flatMap(({ raceId, pick }) => (pick === null ? [] : [[raceId, pick.outcome] as const])),
        ),
      ),
    [data],
  )
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
      queryMeetingResults,
      voucherPage,
    )
}
