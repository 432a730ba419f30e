import type { QueryClient, QueryKey } from '@tanstack/react-query'
import {
  queryOddsTrack,
  queryRaceCompetitor,
  queryRaceInfo,
  queryRaceMarket,
  queryRacePredictionCache,
} from '../../../contract/api/racing.ts'
import { queryRaceLocks } from '../../../contract/api/model.ts'
import { queryRaceReport } from '../../../contract/api/report.ts'
import type { Call } from './call.ts'

/** What the page requests without a call of the contract: files, and queries of the workers. */
type Resource =
  | 'cards'
  | 'coming'
  | 'dividends'
  | 'extra-texts'
  | 'lab-bets'
  | 'manifest'
  | 'own-data'
  | 'own-record'

type Subject = Call | Resource

/**
 * The query key of a call or a resource: its name, and what its response depends on. A key of a call continues with
 * the input; it also stands for all keys whose input has the same fields and more.
 */
export const keyOf = (subject: Subject, ...of: readonly unknown[]): QueryKey => [
  typeof subject === 'string' ? subject : `${subject.method} ${subject.path}`,
  ...of,
]

/** Refetches responses: all of a call or resource, or those whose key starts with the given one. */
export const askAgain = (client: QueryClient, ...keys: readonly (Subject | QueryKey)[]): Promise<unknown> =>
  Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: isKey(key) ? key : keyOf(key) })))

const isKey = (key: Subject | QueryKey): key is QueryKey => Array.isArray(key)

/** The keys of a race's odds over time. */
export const trackKey = (raceId: string): QueryKey => keyOf(queryOddsTrack, {}, raceId)

/** Calls about one race: all of their responses change together when its tip or result does. */
const RACE_CALLS = [
  queryRaceInfo,
  queryRaceCompetitor,
  queryRacePredictionCache,
  queryRaceReport,
  queryRaceLocks,
  queryRaceMarket,
]

/** The keys of all responses about one race. */
export const raceKeys = (raceId: string): QueryKey[] => [
  ...RACE_CALLS.map((each) => keyOf(each, { raceId })),
  trackKey(raceId),
]
