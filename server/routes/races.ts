import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/api/racing.ts'
import { raceSubscribe, subscribeCheck } from '../../contract/api/subscription.ts'
import { FurlongError } from '../../domain/errors.ts'
import { centsText } from '../../domain/money.ts'
import { dayIn } from '../../domain/region.ts'
import type { Queries } from '../db/database.ts'
import { HEADLINE } from '../model/headline.ts'
import { requireWholeRace, seesWholeRace, tipFor } from '../services/gate.ts'
import type { Service } from '../services/service.ts'
import type { Viewer } from '../services/viewer.ts'
import { subscribe } from '../services/vouchers.ts'
import { readSubscription, subscribedAmong } from '../store/accounts/voucher-store.ts'
import {
  listPredictions,
  listTips,
  readMarket,
  readOddsTrack,
  readTip,
} from '../store/racing/prediction-store.ts'
import { hasRace, readRace, readRunners } from '../store/racing/race-store.ts'
import { answerCall } from './answer.ts'
import { zoneOf, type Context } from './context.ts'
import { ownAccountOnly, windowOf } from './paging.ts'
import { predictionId } from './record.ts'

const BY_CLASS = { keep: 'visitors and VIPs' } as const

/** A race: its tip and card, which everybody sees in part, and what only those see who opened it. */
export function raceRoutes(app: FastifyInstance, context: Context): void {
  cardRoutes(app, context)
  openedRaceRoutes(app, context)
}

function cardRoutes(app: FastifyInstance, context: Context): void {
  const { cache } = context
  const { database, reader, now } = context.service

  answerCall(
    app,
    context,
    calls.queryRaceTips,
    async ({ query, viewer, language }) => {
      const today = dayIn(await zoneOf(context, query.countryRegionId), now())
      const from = query.today > today ? query.today : today
      const { countryRegionId: regionId } = query
      const tips = await cache.value(`tips ${regionId} ${from} ${language}`, () =>
        listTips(reader, HEADLINE, regionId, from, language),
      )
      const mine = await subscribedOf(
        database,
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

  answerCall(
    app,
    context,
    calls.queryRaceInfo,
    async ({ query, viewer, language }) => {
      const race = await readRace(reader, query.raceId, language)
      if (race === null) throw new FurlongError('no-such-race')
      const mine = await isSubscribed(database, viewer, query.raceId)
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
      const open = seesWholeRace(viewer, await isSubscribed(database, viewer, query.raceId))
      const runners = await readRunners(reader, query.raceId, HEADLINE, language)
      return runners.map((runner) => competitorOf(runner, race, open))
    },
    BY_CLASS,
  )
}

function openedRaceRoutes(app: FastifyInstance, context: Context): void {
  const { database, reader, now } = context.service

  answerCall(app, context, calls.queryRacePredictionCache, async ({ query, viewer, language }) => {
    await requireRace(context.service, viewer, query.raceId)
    const filter = { raceId: query.raceId, gameplayClass: query.gameplayClass, ...windowOf(query) }
    const model = query.model ?? HEADLINE
    const rows = await listPredictions(reader, model, filter, language)
    return rows.map((row) => predictionItem(row, model))
  })

  answerCall(app, context, calls.queryOddsTrack, async ({ query, viewer }) => {
    const [raceId = '', gameplayClass, rank, ...model] = query.rprId.split('-')
    await requireRace(context.service, viewer, raceId)
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
    await requireRace(context.service, viewer, query.raceId)
    return readMarket(reader, query.raceId, now())
  })

  answerCall(app, context, raceSubscribe, async ({ query, viewer }) => {
    ownAccountOnly(viewer, query.account)
    const subscribed = await subscribe(context.service, viewer.id, query.raceId)
    return { raceId: query.raceId, ...subscribed }
  })

  answerCall(app, context, subscribeCheck, async ({ query, viewer }) => {
    ownAccountOnly(viewer, query.account)
    return (await isSubscribed(database, viewer, query.goodsId)) ? 1 : 0
  })
}

async function subscribedOf(
  database: Queries,
  viewer: Viewer | null,
  raceIds: string[],
): Promise<Set<string>> {
  return viewer === null || raceIds.length === 0 ? new Set() : subscribedAmong(database, viewer.id, raceIds)
}

const isSubscribed = async (database: Queries, viewer: Viewer | null, raceId: string): Promise<boolean> =>
  viewer !== null && (await readSubscription(database, viewer.id, raceId)) !== null

/** Throws `no-such-race`, and `not-subscribed` unless the viewer may see the whole race. */
async function requireRace({ database, reader }: Service, viewer: Viewer, raceId: string): Promise<void> {
  if (!(await hasRace(reader, raceId))) throw new FurlongError('no-such-race')
  requireWholeRace(viewer, await isSubscribed(database, viewer, raceId))
}

type Race = NonNullable<Awaited<ReturnType<typeof readRace>>>
type Runner = Awaited<ReturnType<typeof readRunners>>[number]

/** A runner on the card; `open`: with what only those see who opened the race. */
const competitorOf = (runner: Runner, race: Race, open: boolean) => ({
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
})

type Prediction = Awaited<ReturnType<typeof listPredictions>>[number]

function predictionItem(
  { rank, combination, selected, cautious, upsetGuard, profitCents, ...row }: Prediction,
  model: string | null,
) {
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
}
