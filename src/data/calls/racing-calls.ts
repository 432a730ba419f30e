import type { ResultOf } from '../../../contract/api/endpoint.ts'
import type * as horse from '../../../contract/api/horse.ts'
import type * as racing from '../../../contract/api/racing.ts'
import type { raceSubscribe } from '../../../contract/api/subscription.ts'
import type * as report from '../../../contract/api/report.ts'
import { get } from '../client/api-client.ts'

/** Calls about races and horses. Which predictions they return depends on the user. */

export type ScheduledRace = racing.ScheduledRace
export type Tip = racing.Tip
export type RaceInfo = ResultOf<typeof racing.queryRaceInfo>
export type Competitor = ResultOf<typeof racing.queryRaceCompetitor>[number]
export type Prediction = ResultOf<typeof racing.queryRacePredictionCache>[number]
export type RecordItem = ResultOf<typeof racing.queryRacePredictionAccuracy>[number]
export type OddsPoint = ResultOf<typeof racing.queryOddsTrack>[number]
export type Horse = ResultOf<typeof horse.queryHorseInfo>
export type HorsePage = ResultOf<typeof horse.queryRaceHorse>
export type RaceReport = report.RaceReport
export type Stadium = ResultOf<typeof racing.queryStadiumByCountryRegionId>[number]

interface RegionDay {
  countryRegionId: string
  today: string
}
type RegionDayPage = RegionDay & { pageNo: number; pageSize?: number }

export const fetchSchedule = (query: RegionDay, signal?: AbortSignal): Promise<ScheduledRace[]> =>
  get('race/api/queryRace', { ...query }, signal)

/** Races up to a day, newest day first. */
export const fetchPastRaces = (query: RegionDayPage, signal?: AbortSignal): Promise<ScheduledRace[]> =>
  get('race/api/queryRacePageDesc', { ...query }, signal)

export const fetchSubscribedRaces = (query: RegionDayPage, signal?: AbortSignal): Promise<ScheduledRace[]> =>
  get('race/api/queryRaceSubscribe', { ...query }, signal)

export const fetchTips = (query: RegionDay, signal?: AbortSignal): Promise<Tip[]> =>
  get('race/api/queryRaceTips', { ...query }, signal)

export const fetchPredictionsTotal = (query: RegionDay, signal?: AbortSignal): Promise<number> =>
  get('race/api/queryPredictionsTotal', { ...query }, signal)

/** A region's first race from a day on, or its last one up to a day; `null` if there is none. */
export const fetchNearestRace = async (
  direction: 'forward' | 'back',
  query: RegionDay,
  signal?: AbortSignal,
): Promise<ScheduledRace | null> => {
  const path = direction === 'forward' ? 'race/api/queryRacePage' : 'race/api/queryRacePageDesc'
  const [race] = await get(path, { ...query, pageNo: 1, pageSize: 1 }, signal)
  return race ?? null
}

export const fetchLastRecord = (query: RegionDay, signal?: AbortSignal): Promise<RecordItem[]> =>
  get('race/api/queryLastRacePredictionAccuracy', { ...query }, signal)

export const fetchHorses = (
  query: { pageNo: number; pageSize?: number; countryRegionId: string; text?: string },
  signal?: AbortSignal,
): Promise<HorsePage> => get('race/api/queryRaceHorse', query, signal)

export const fetchHorse = (id: string, signal?: AbortSignal): Promise<Horse> =>
  get('race/api/queryHorseInfo', { id }, signal)

export const fetchRace = (raceId: string, signal?: AbortSignal): Promise<RaceInfo> =>
  get('race/api/queryRaceInfo', { raceId }, signal)

export const fetchCompetitors = (raceId: string, signal?: AbortSignal): Promise<Competitor[]> =>
  get('race/api/queryRaceCompetitor', { raceId }, signal)

export const fetchPredictions = (
  query: { raceId: string; gameplayClass: number; model: string; pageNo: number },
  signal?: AbortSignal,
): Promise<Prediction[]> => get('race/api/queryRacePredictionCache', query, signal)

export const fetchOddsTrack = (rprId: string, signal?: AbortSignal): Promise<OddsPoint[]> =>
  get('race/api/queryOddsTrack', { rprId }, signal)

export const fetchMarket = (raceId: string, signal?: AbortSignal): Promise<OddsPoint[]> =>
  get('race/api/queryRaceMarket', { raceId }, signal)

export const fetchReport = (raceId: string, signal?: AbortSignal): Promise<RaceReport> =>
  get('race/api/queryRaceReport', { raceId }, signal)

export const subscribeRace = (raceId: string): Promise<ResultOf<typeof raceSubscribe>> =>
  get('race/api/raceSubscribe', { raceId })

export const checkSubscribed = (goodsId: string): Promise<0 | 1> => get('sys/api/subscribeCheck', { goodsId })

export const fetchStadiums = (countryRegionId: string, signal?: AbortSignal): Promise<Stadium[]> =>
  get('sys/api/queryStadiumByCountryRegionId', { countryRegionId }, signal)
