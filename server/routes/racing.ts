import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/api/racing.ts'
import { raceSubscribe, subscribeCheck } from '../../contract/api/subscription.ts'
import { queryAccuracyDetail } from '../../contract/api/model.ts'
import { FurlongError } from '../../domain/errors.ts'
import { centsText } from '../../domain/money.ts'
import { addDays, dayIn } from '../../domain/region.ts'
import { placeOfStadium } from '../../domain/stadium-places.ts'
import {
  LIMITED_RACES_A_DAY,
  limitedClassFor,
  oldestFreeDay,
  requireWholeRace,
  seesWholeRace,
  tipFor,
} from '../services/gate.ts'
import { loadConfig } from '../store/operation/config.ts'
import { subscribe } from '../services/vouchers.ts'
import type { Viewer } from '../services/viewer.ts'
import {
  listLastMeetings,
  listPredictions,
  listRecords,
  listTips,
  readMarket,
  readOddsTrack,
  readTip,
  type RecordQuery,
  type RecordRow,
} from '../store/racing/prediction-store.ts'
import { hasRace, readRace, readRunners, readTimeZone } from '../store/racing/race-store.ts'
import {
  listRegions,
  listSchedule,
  listStadiums,
  pageSchedule,
  pageSubscribed,
} from '../store/racing/schedule.ts'
import { hasOpenedBefore, readSubscription, subscribedAmong } from '../store/accounts/voucher-store.ts'
import { HEADLINE } from '../model/headline.ts'
import { answerCall } from './answer.ts'
import { predictionId, recordItem } from './record-item.ts'
import type { Context } from './context.ts'
import { countHits, countPredictions, firstModels } from '../store/racing/daily-hits-store.ts'
import { ownAccountOnly, windowOf } from './paging.ts'

const EVERYBODY = { keep: 'everybody' } as const
const BY_CLASS = { keep: 'visitors and VIPs' } as const
const FALLBACK_REGION = '100000'

export function racingRoutes(app: FastifyInstance, context: Context): void {
  const { cache } = context
  const { database, reader, now } = context.service
  const zoneOf = (regionId: string): Promise<string> =>
    cache.value(`zone ${regionId}`, async () => (await readTimeZone(reader, regionId)) ?? 'Asia/Hong_Kong')

  const limitedClass = (): Promise<string> =>
    cache.value('limited class', async () => (await loadConfig(reader)).limitedGameplayClass)

  answerCall(
    app,
    context,
    calls.queryCountryRegion,
    ({ language }) => listRegions(reader, language),
    EVERYBODY,
  )

  answerCall(
    app,
    context,
    calls.queryStadiumByCountryRegionId,
    async ({ query, language }) =>
      (await listStadiums(reader, query.countryRegionId, language)).map((stadium) => ({
        ...stadium,
        latitude: placeOfStadium(stadium.id)?.latitude ?? null,
        longitude: placeOfStadium(stadium.id)?.longitude ?? null,
      })),
    EVERYBODY,
  )

  answerCall(
    app,
    context,
    calls.queryRace,
    ({ query, language }) => listSchedule(reader, query.countryRegionId, query.today, language),
    EVERYBODY,
  )

  for (const [call, direction] of [
    [calls.queryRacePage, 'forward'],
    [calls.queryRacePageDesc, 'back'],
  ] as const) {
    answerCall(
      app,
      context,
      call,
      ({ query, language }) => {
        const page = { regionId: query.countryRegionId, today: query.today, ...windowOf(query) }
        return pageSchedule(reader, page, direction, language)
      },
      EVERYBODY,
    )
  }

  answerCall(app, context, calls.queryRaceSubscribe, ({ query, viewer, language }) => {
    const page = { regionId: query.countryRegionId, today: query.today, ...windowOf(query) }
    return pageSubscribed(database, page, viewer.id, language)
  })

  answerCall(
    app,
    context,
    calls.queryRacePredictionAccuracy,
    async ({ query, viewer, language }) => {
      const limited = await limitedClass()
      const regionId = query.countryRegionId
      const from = oldestFreeDay(viewer, await zoneOf(regionId), now())
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
      const from = oldestFreeDay(viewer, await zoneOf(regionId), now())
      const recordQuery = {
        regionId,
        today: query.today,
        from,
        customerId: viewer?.id ?? null,
        limitedClass: limitedClassFor(viewer, await limitedClass()),
        limitedRaces: LIMITED_RACES_A_DAY,
      }
      // Read from the primary, so that a race which a member has just unlocked is included.
      const source = viewer === null ? reader : database
      return (await listLastMeetings(source, HEADLINE, recordQuery, language)).map(recordItem)
    },
    BY_CLASS,
  )

  answerCall(
    app,
    context,
    calls.queryRaceTips,
    async ({ query, viewer, language }) => {
      const today = dayIn(await zoneOf(query.countryRegionId), now())
      const from = query.today > today ? query.today : today
      const { countryRegionId: regionId } = query
      const tips = await cache.value(`tips ${regionId} ${from} ${language}`, () =>
        listTips(reader, HEADLINE, regionId, from, language),
      )
      const mine = await subscribedOf(
        viewer,
        tips.map(({ race }) => race.id),
      )
      return tips.flatMap((tip) => {
        const shown = tipFor(viewer, tip, mine.has(tip.race.id), now())
        return shown === null ? [] : [shown]
      })
    },
    BY_CLASS,
  )

  const subscribedOf = async (viewer: Viewer | null, raceIds: string[]): Promise<Set<string>> =>
    viewer === null || raceIds.length === 0 ? new Set() : subscribedAmong(database, viewer.id, raceIds)

  const isSubscribed = async (viewer: Viewer | null, raceId: string): Promise<boolean> =>
    viewer !== null && (await readSubscription(database, viewer.id, raceId)) !== null

  answerCall(
    app,
    context,
    calls.queryPredictionsTotal,
    ({ query }) => countPredictions(reader, query.today, query.countryRegionId ?? null),
    EVERYBODY,
  )

  const spanOf = async (query: { countryRegionId?: string | undefined; days: number }) => {
    const regionId = query.countryRegionId ?? null
    const today = dayIn(await zoneOf(regionId ?? FALLBACK_REGION), now())
    return { from: addDays(today, query.days + 1), to: today, regionId }
  }

  answerCall(
    app,
    context,
    calls.queryAccuracyInDays,
    async ({ query }) => {
      const span = await spanOf(query)
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
      const span = await spanOf(query)
      const [count, models] = await Promise.all([
        countHits(reader, { ...span, gameplayClass: query.gameplayClass }),
        firstModels(reader, span),
      ])
      return { ...count, models }
    },
    EVERYBODY,
  )

  answerCall(
    app,
    context,
    calls.queryRaceInfo,
    async ({ query, viewer, language }) => {
      const race = await readRace(reader, query.raceId, language)
      if (race === null) throw new FurlongError('no-such-race')
      const mine = await isSubscribed(viewer, query.raceId)
      const tip = await readTip(reader, HEADLINE, query.raceId, language)
      return {
        ...race,
        isAnalyzer: race.status === 'final' ? (1 as const) : (0 as const),
        isSubscribe: seesWholeRace(viewer, mine) ? (1 as const) : (0 as const),
        tips: tip === null ? null : tipFor(viewer, tip, mine, now()),
      }
    },
    BY_CLASS,
  )

  answerCall(
    app,
    context,
    calls.queryRaceCompetitor,
    async ({ query, viewer, language }) => {
      const race = await readRace(reader, query.raceId, language)
      if (race === null) throw new FurlongError('no-such-race')
      const open = seesWholeRace(viewer, await isSubscribed(viewer, query.raceId))
      const runners = await readRunners(reader, query.raceId, HEADLINE, language)
      return runners.map((runner) => ({
        ...runner,
        name: runner.horseName,
        margin: runner.finishLength,
        openingOdds: open ? runner.openingOdds : null,
        probability: open ? runner.probability : null,
        predictedRank: open ? runner.predictedRank : null,
        isAnalyzer: race.status === 'final' ? (1 as const) : (0 as const),
        trackType: race.trackType,
        weather: race.weather,
        raceNumber: race.raceNumber,
        distance: race.distance,
        trackCondition: race.trackCondition,
        raceClass: race.raceClass,
      }))
    },
    BY_CLASS,
  )

  answerCall(app, context, calls.queryRacePredictionCache, async ({ query, viewer, language }) => {
    await requireRace(viewer, query.raceId)
    const filter = { raceId: query.raceId, gameplayClass: query.gameplayClass, ...windowOf(query) }
    const model = query.model ?? HEADLINE
    const rows = await listPredictions(reader, model, filter, language)
    return rows.map(({ rank, combination, selected, cautious, upsetGuard, profitCents, ...row }) => {
      const horses = combination.split('-').map(Number)
      return {
        ...row,
        id: `${predictionId(row.raceId, row.gameplayClass, rank)}${model === null ? '' : `-${model}`}`,
        ranking: rank,
        raceCompetitor1Num: horses[0]!,
        raceCompetitor2Num: horses[1] ?? null,
        raceCompetitor3Num: horses[2] ?? null,
        raceCompetitor4Num: horses[3] ?? null,
        predictionTypes: [...(selected ? [1] : []), ...(cautious ? [2] : []), ...(upsetGuard ? [3] : [])],
        isAccuracy: row.outcome === 'hit' ? (1 as const) : (0 as const),
        profit: profitCents === null ? null : centsText(profitCents),
      }
    })
  })

  /** Throws `no-such-race`, and `not-subscribed` unless the viewer may see the whole race. */
  const requireRace = async (viewer: Viewer, raceId: string): Promise<void> => {
    if (!(await hasRace(reader, raceId))) throw new FurlongError('no-such-race')
    requireWholeRace(viewer, await isSubscribed(viewer, raceId))
  }

  answerCall(app, context, calls.queryOddsTrack, async ({ query, viewer }) => {
    const [raceId = '', gameplayClass, rank, ...model] = query.rprId.split('-')
    await requireRace(viewer, raceId)
    const prediction = { raceId, gameplayClass: Number(gameplayClass), rank: Number(rank) }
    const track = await readOddsTrack(
      reader,
      model.length > 0 ? model.join('-') : HEADLINE,
      prediction,
      now(),
    )
    if (track === null) throw new FurlongError('not-found')
    return track
  })

  answerCall(app, context, calls.queryRaceMarket, async ({ query, viewer }) => {
    await requireRace(viewer, query.raceId)
    return readMarket(reader, query.raceId, now())
  })

  answerCall(app, context, raceSubscribe, async ({ query, viewer }) => {
    ownAccountOnly(viewer, query.account)
    const subscribed = await subscribe(context.service, viewer.id, query.raceId)
    return { raceId: query.raceId, ...subscribed }
  })

  answerCall(app, context, subscribeCheck, async ({ query, viewer }) => {
    ownAccountOnly(viewer, query.account)
    return (await isSubscribed(viewer, query.goodsId)) ? 1 : 0
  })
}
