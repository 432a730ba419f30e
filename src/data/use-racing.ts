import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import type { HorsePage, RecordItem, ScheduledRace, Tip } from './racing-calls.ts'
import {
  fetchHorses,
  fetchLastRecord,
  fetchPredictionsTotal,
  fetchSchedule,
  fetchTips,
} from './racing-calls.ts'
import { fetchAccuracy, type AccuracyDetail } from './model-calls.ts'
import { useToken } from './session.ts'
import { useRegionDay } from './use-region.ts'
import { keyOf } from './keys.ts'

/** Lists of the reader's region from its day of now on; `fetchX` tells what each one is. */
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
    queryKey: keyOf('predictions-total', at?.today),
    queryFn: ({ signal }) => fetchPredictionsTotal(at!.today, signal),
    enabled: at !== null,
  })
}

export function useAccuracy(): UseQueryResult<AccuracyDetail> {
  const at = useRegionDay()
  return useQuery({
    ...common,
    queryKey: keyOf('accuracy', at?.regionId),
    queryFn: ({ signal }) => fetchAccuracy(at!.regionId, signal),
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

export function useHorses(): UseQueryResult<HorsePage> {
  const at = useRegionDay()
  const { locale } = useIntl()
  return useQuery({
    ...common,
    queryKey: keyOf('horses', at?.regionId, locale),
    queryFn: ({ signal }) => fetchHorses({ pageNo: 1, countryRegionId: at!.regionId }, signal),
    enabled: at !== null,
  })
}
