import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { addDays, daysOfSeason } from '../../domain/region.ts'
import { queryAccuracyDetail, type AccuracyDetail } from '../../contract/api/model.ts'
import {
  queryLastRacePredictionAccuracy,
  queryPredictionsTotal,
  queryRace,
  queryRacePage,
  queryRacePageDesc,
  queryRaceTips,
  type RecordItem,
  type ScheduledRace,
  type Tip,
} from '../../contract/api/racing.ts'
import { useToken } from './client/session.ts'
import { useRegion, useRegionDay } from './use-region.ts'
import { queryFor } from './client/call.ts'

/** Lists of the user's region from its current day on; see the corresponding calls of the contract. */
const FRESH_MS = 60_000
const common = { staleTime: FRESH_MS, retry: 1 } as const

const dayOf = (at: ReturnType<typeof useRegionDay>) => at && { countryRegionId: at.regionId, today: at.today }

export function useSchedule(): UseQueryResult<ScheduledRace[]> {
  const at = useRegionDay()
  const { locale } = useIntl()
  return useQuery({
    ...common,
    ...queryFor(queryRace, dayOf(at), locale),
  })
}

export function useTips(): UseQueryResult<Tip[]> {
  const at = useRegionDay()
  const { locale } = useIntl()
  const token = useToken()
  return useQuery({
    ...common,
    ...queryFor(queryRaceTips, dayOf(at), locale, token),
  })
}

export function usePredictionsTotal(): UseQueryResult<number> {
  const at = useRegionDay()
  return useQuery({
    ...common,
    ...queryFor(queryPredictionsTotal, dayOf(at)),
  })
}

/** Hits and misses of the last days, or of the season so far, in the user's region. */
export function useAccuracy(span: number | 'season'): UseQueryResult<AccuracyDetail> {
  const at = useRegionDay()
  const { region } = useRegion()
  const days = region === null || at === null ? 0 : span === 'season' ? daysOfSeason(region, at.today) : span
  return useQuery({
    ...common,
    ...queryFor(queryAccuracyDetail, at && { days: -days, countryRegionId: at.regionId }),
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
    ...queryFor(
      direction === 'forward' ? queryRacePage : queryRacePageDesc,
      at && {
        countryRegionId: at.regionId,
        // Today's races are in the schedule.
        today: addDays(at.today, direction === 'forward' ? 1 : 0),
        pageNo: 1,
        pageSize: 1,
      },
      locale,
    ),
    select: ([race]) => race ?? null,
  })
}

export function useLastRecord(): UseQueryResult<RecordItem[]> {
  const at = useRegionDay()
  const { locale } = useIntl()
  const token = useToken()
  return useQuery({
    ...common,
    ...queryFor(queryLastRacePredictionAccuracy, dayOf(at), locale, token),
  })
}
