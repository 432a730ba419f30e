import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/api/racing.ts'
import type { RecordItem } from '../../contract/api/racing.ts'
import { queryAccuracyDetail } from '../../contract/api/model.ts'
import { gameplayOf, type GameplayClass } from '../../domain/gameplay.ts'
import { centsText } from '../../domain/money.ts'
import { addDays, dayIn } from '../../domain/region.ts'
import { LIMITED_RACES_A_DAY, limitedClassFor, oldestFreeDay } from '../services/gate.ts'
import { HEADLINE } from '../model/headline.ts'
import { hasOpenedBefore } from '../store/accounts/voucher-store.ts'
import { loadConfig } from '../store/operation/config.ts'
import { countHits, countPredictions, firstModels } from '../store/racing/daily-hits-store.ts'
import {
  listLastMeetings,
  listRecords,
  type RecordQuery,
  type RecordRow,
} from '../store/racing/prediction-store.ts'
import { answerCall } from './answer.ts'
import { zoneOf, type Context } from './context.ts'
import { windowOf } from './paging.ts'

const EVERYBODY = { keep: 'everybody' } as const
const BY_CLASS = { keep: 'visitors and VIPs' } as const
const FALLBACK_REGION = '100000'

/** The published record: settled predictions, and how many were right. */
export function recordRoutes(app: FastifyInstance, context: Context): void {
  settledRoutes(app, context)
  totalRoutes(app, context)
}

const limitedClassOf = ({ cache, service }: Context): Promise<string> =>
  cache.value('limited class', async () => (await loadConfig(service.reader)).limitedGameplayClass)

/** Settled predictions of a page of races, and of the last meetings. */
function settledRoutes(app: FastifyInstance, context: Context): void {
  const { cache } = context
  const { database, reader, now } = context.service

  answerCall(
    app,
    context,
    calls.queryRacePredictionAccuracy,
    async ({ query, viewer, language }) => {
      const limited = await limitedClassOf(context)
      const regionId = query.countryRegionId
      const from = oldestFreeDay(viewer, await zoneOf(context, regionId), now())
      // Only a member's unlocked races make their list differ from the shared one.
      const own =
        viewer !== null &&
        from !== null &&
        (await hasOpenedBefore(database, viewer.id, regionId, from, limited !== ''))
      const recordQuery: RecordQuery = {
        regionId,
        today: query.today,
        gameplayClass: query.gameplayClass ?? null,
        ...windowOf(query),
        from,
        customerId: own ? viewer.id : null,
        limitedClass: limitedClassFor(viewer, limited),
        limitedRaces: LIMITED_RACES_A_DAY,
      }
      const read = (): Promise<RecordRow[]> =>
        listRecords(own ? database : reader, HEADLINE, recordQuery, language)
      const rows = own
        ? await read()
        : await cache.value(`records ${JSON.stringify(recordQuery)} ${language}`, read)
      return rows.map(recordItem)
    },
    BY_CLASS,
  )

  answerCall(
    app,
    context,
    calls.queryLastRacePredictionAccuracy,
    async ({ query, viewer, language }) => {
      const regionId = query.countryRegionId ?? FALLBACK_REGION
      const from = oldestFreeDay(viewer, await zoneOf(context, regionId), now())
      const recordQuery = {
        regionId,
        today: query.today,
        from,
        customerId: viewer?.id ?? null,
        limitedClass: limitedClassFor(viewer, await limitedClassOf(context)),
        limitedRaces: LIMITED_RACES_A_DAY,
      }
      // Read from the primary, so that a race which a member has just unlocked is included.
      const source = viewer === null ? reader : database
      return (await listLastMeetings(source, HEADLINE, recordQuery, language)).map(recordItem)
    },
    BY_CLASS,
  )
}

/** Numbers of predictions and of hits. */
function totalRoutes(app: FastifyInstance, context: Context): void {
  const { reader } = context.service

  answerCall(
    app,
    context,
    calls.queryPredictionsTotal,
    ({ query }) => countPredictions(reader, query.today, query.countryRegionId ?? null),
    EVERYBODY,
  )

  answerCall(
    app,
    context,
    calls.queryAccuracyInDays,
    async ({ query }) => {
      const span = await spanOf(context, query)
      const { hits, misses } = await countHits(reader, { ...span, gameplayClass: query.gameplayClass })
      return hits + misses === 0 ? null : hits / (hits + misses)
    },
    EVERYBODY,
  )

  answerCall(
    app,
    context,
    queryAccuracyDetail,
    async ({ query }) => {
      const span = await spanOf(context, query)
      const [count, models] = await Promise.all([
        countHits(reader, { ...span, gameplayClass: query.gameplayClass }),
        firstModels(reader, span),
      ])
      return { ...count, models }
    },
    EVERYBODY,
  )
}

async function spanOf(context: Context, query: { countryRegionId?: string | undefined; days: number }) {
  const regionId = query.countryRegionId ?? null
  const today = dayIn(await zoneOf(context, regionId ?? FALLBACK_REGION), context.service.now())
  return { from: addDays(today, query.days + 1), to: today, regionId }
}

/** Public id of a prediction: race, bet type and rank. */
export const predictionId = (raceId: string, gameplayClass: number, rank: number): string =>
  `${raceId}-${gameplayClass}-${rank}`

/** A settled prediction in the form returned by the record's calls. */
function recordItem(row: RecordRow): (typeof RecordItem)['_output'] {
  const { numbersShown } = gameplayOf(row.gameplayClass as GameplayClass)
  const results = row.finish.split(' ').flatMap((entry) => {
    const [place, number] = entry.split(':').map(Number)
    return number !== undefined && place! <= numbersShown ? [number] : []
  })
  return {
    id: predictionId(row.raceId, row.gameplayClass, row.rank),
    raceId: row.raceId,
    date: row.date,
    stadiumName: row.stadiumName,
    stadiumNum: row.stadiumNum,
    round: row.stadiumNum,
    gameplayClass: row.gameplayClass,
    results: results.join('-'),
    predictionResults: row.combination,
    outcome: row.outcome,
    isAccuracy: row.outcome === 'hit' ? 1 : 0,
    probability: row.probability,
    profit: row.profitCents === null ? null : centsText(row.profitCents),
    odds: row.odds,
    oddsPaid: row.oddsPaid,
    origin: row.origin,
  }
}
