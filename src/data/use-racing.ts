import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { addDays, daysOfSeason } from '../../domain/region.ts'
import type { RecordItem, ScheduledRace, Tip } from './calls/racing-calls.ts'
import {
  fetchLastRecord,
  fetchNearestRace,
  fetchPredictionsTotal,
  fetchSchedule,
  fetchTips,
} from './calls/racing-calls.ts'
import { fetchAccuracy, type AccuracyDetail } from './calls/model-calls.ts'
import { useToken } from './client/session.ts'
import { useRegion, useRegionDay } from './use-region.ts'
import { keyOf } from './client/keys.ts'

/** Lists of the user's region from its current day on; see the corresponding `fetchX`. */
const FRESH_MS = 60_000
const common = { staleTime: FRESH_MS, retry: 1 } as const

export function useSchedule(): UseQueryResult<ScheduledRace[]> {
  const at = useRegionDay()
  const { locale } = useIntl()
  return useQuery({
    ...common,
    queryKey: keyOf('schedule', at?.regionId, at?.today, locale),
    queryFn: ({ signal }) => fetchSchedule({ countryRegionId: at!.regionId, today: at!.today }, signal),
    enabled: at !== null,
  })
}

export function useTips(): UseQueryResult<Tip[]> {
  const at = useRegionDay()
  const { locale } = useIntl()
  const token = useToken()
  return useQuery({
    ...common,
    queryKey: keyOf('tips', at?.regionId, at?.today, locale, token),
    queryFn: ({ signal }) => fetchTips({ countryRegionId: at!.regionId, today: at!.today }, signal),
    enabled: at !== null,
  })
}

export function usePredictionsTotal(): UseQueryResult<number> {
  const at = useRegionDay()
  return useQuery({
    ...common,
    queryKey: keyOf('predictions-total', at?.regionId, at?.today),
    queryFn: ({ signal }) =>
      fetchPredictionsTotal({ countryRegionId: at!.regionId, today: at!.today }, signal),
    enabled: at !== null,
  })
}

/** Hits and misses of the last days, or of the season so far, in the user's region. */
export function useAccuracy(span: number | 'season'): UseQueryResult<AccuracyDetail> {
  const at = useRegionDay()
  const { region } = useRegion()
  const days = region === null || at === null ? 0 : span === 'season' ? daysOfSeason(region, at.today) : span
  return useQuery({
    ...common,
    queryKey: keyOf('accuracy', at?.regionId, days),
    queryFn: ({ signal }) => fetchAccuracy(at!.regionId, days, signal),
    enabled: at !== null,
  })
}

/**
 * A region's next race after today, however far, or its most recent one up to today; `null` if there is none.
 */
export function useNearestRace(direction: 'forward' | 'back'): UseQueryResult<ScheduledRace | null> {
  const at = useRegionDay()
  const { locale } = useIntl()
  return useQuery({
    ...common,
    queryKey: keyOf('races', 'nearest', direction, at?.regionId, at?.today, locale),
    queryFn: ({ signal }) => {
      // Today's races are in the schedule.
      const today = addDays(at!.today, direction === 'forward' ? 1 : 0)
      return fetchNearestRace(direction, { countryRegionId: at!.regionId, today }, signal)
    },
    enabled: at !== null,
  })
}

export function useLastRecord(): UseQueryResult<RecordItem[]> {
  const at = useRegionDay()
  const { locale } = useIntl()
  const token = useToken()
  return useQuery({
    ...common,
    queryKey: keyOf('last-record', at?.regionId, at?.today, locale, token),
    queryFn: ({ signal }) => fetchLastRecord({ countryRegionId: at!.regionId, today: at!.today }, signal),
    enabled: at !== null,
  })
}
