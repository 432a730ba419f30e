import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'
import { queryAccuracyDetail, queryProof } from '../../contract/api/model.ts'
import {
  queryMeetingResults,
  queryPredictionsTotal,
  queryRace,
  queryRacePage,
  queryRacePageDesc,
  queryRaceTips,
  type ScheduledRace,
  type Tip,
} from '../../contract/api/racing.ts'
import { addDays, daysOfSeason } from '../../domain/region.ts'
import { queryFor } from './client/call.ts'
import { useToken } from './client/session.ts'
import { useLastRaceDay, useRegion, useRegionDay } from './use-region.ts'

/** Lists of the user's region from its current day on; see the corresponding calls of the contract. */
const common = { staleTime: 60_000, retry: 1 } as const

function useDay() {
  const at = useRegionDay()
  return at && { countryRegionId: at.regionId, today: at.today }
}

/** The same of lists of coming races: those of the day before count until they are run. */
function useFirstDay() {
  const at = useRegionDay()
  return at && { countryRegionId: at.regionId, today: at.from }
}

/** Time after which what has races without a prediction is asked for again, in milliseconds. */
export const UNPREDICTED_MS = 60_000

/** Options of schedules. Of a race without a prediction nobody is told that it has one, so they are asked for again. */
const schedule = {
  ...common,
  refetchInterval: ({ state }: { state: { data: readonly ScheduledRace[] | undefined } }) =>
    state.data?.some(({ predicted, status }) => !predicted && status === 'scheduled')
      ? UNPREDICTED_MS
      : false,
} as const

export function useSchedule() {
  const at = useRegionDay()
  const before = at !== null && at.from < at.today ? at.from : null
  return useQuery({
    ...schedule,
    ...queryFor(queryRace, useFirstDay(), useIntl().locale),
    select: useCallback(
      (races: readonly ScheduledRace[]) =>
        before === null
          ? races
          : races.filter(({ date, status }) => date !== before || status === 'scheduled'),
      [before],
    ),
  })
}

/** Tips of the coming races. */
export const useTips = () =>
  useQuery({
    ...common,
    ...queryFor(queryRaceTips, useFirstDay(), useIntl().locale, useToken()),
    select: comingOf,
  })

const comingOf = (tips: readonly Tip[]): readonly Tip[] => tips.filter(({ status }) => status === 'scheduled')

/** A region's races and tips from a day on, a week at most, those already run included; nothing while it is `null`. */
export function useRacesFrom(day: string | null) {
  const { locale } = useIntl()
  const token = useToken()
  const at = useDay()
  const from = at && day !== null ? { ...at, today: day } : null
  return {
    races: useQuery({ ...schedule, ...queryFor(queryRace, from, locale) }),
    tips: useQuery({ ...common, ...queryFor(queryRaceTips, from, locale, token) }),
  }
}

/** More than the races of three days of racing in any region. */
const PAST_RACES = 100

/** A region's last days of racing before today, newest first, the oldest of them perhaps in part. */
export function usePastRaces() {
  const day = useDay()
  return useQuery({
    ...common,
    ...queryFor(
      queryRacePageDesc,
      day && { ...day, today: addDays(day.today, -1), pageNo: 1, pageSize: PAST_RACES },
      useIntl().locale,
    ),
  })
}

/** The last two meetings with results, the last one first. */
export const useMeetings = () =>
  useQuery({ ...common, ...queryFor(queryMeetingResults, useDay(), useIntl().locale, useToken()) })

export const usePredictionsTotal = () => useQuery({ ...common, ...queryFor(queryPredictionsTotal, useDay()) })

/** Hits and misses of the last days, or of the season, up to the last race day of the user's region. */
export function useAccuracy(span: number | 'season') {
  const { region } = useRegion()
  const last = useLastRaceDay()
  // Before the first result, any number of days has none.
  const seasonDays = last ? region && daysOfSeason(region, last) : last === null ? 1 : null
  const days = span === 'season' ? seasonDays : span
  return useQuery({
    ...common,
    ...queryFor(
      queryAccuracyDetail,
      region !== null && days !== null ? { days: -days, countryRegionId: region.id } : null,
    ),
  })
}

/** What first choices, favourites and random horses of the user's region were worth out of sample; `null` before the first test. */
export function useProof() {
  const { region } = useRegion()
  return useQuery({
    ...common,
    ...queryFor(queryProof, region && { countryRegionId: region.id }),
  })
}

/** A region's next race after today, however far; `null` if there is none. Not asked for while `enabled` is false. */
export function useNextRace(enabled = true) {
  const today = useDay()
  const day = enabled ? today : null
  const { locale } = useIntl()
  return useQuery({
    ...common,
    // Today's races are in the schedule.
    ...queryFor(
      queryRacePage,
      day && { ...day, today: addDays(day.today, 1), pageNo: 1, pageSize: 1 },
      locale,
    ),
    select: ([race]) => race ?? null,
  })
}
