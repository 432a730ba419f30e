import { queryDayMarket, type DayMarketRace } from '../../contract/api/market.ts'
import { queryAccuracyDetail } from '../../contract/api/model.ts'
import { queryPaceMap, queryRaceSections } from '../../contract/api/pace.ts'
import * as calls from '../../contract/api/racing.ts'
import { raceSubscribe, subscribeCheck } from '../../contract/api/subscription.ts'
import { FurlongError } from '../../domain/errors.ts'
import { gameplayOf, type GameplayClass } from '../../domain/gameplay.ts'
import { groupBy } from '../../domain/group-by.ts'
import { addDays } from '../../domain/region.ts'
import { placeOfStadium } from '../../domain/stadium-places.ts'
import type { Queries } from '../db/database.ts'
import { HEADLINE } from '../model/headline.ts'
import * as gate from '../services/gate.ts'
import { racePaceMap, raceSections } from '../services/race-pace.ts'
import type { Service } from '../services/service.ts'
import type { Viewer } from '../services/viewer.ts'
import { subscribe } from '../services/vouchers.ts'
import { hasOpenedBefore, readSubscription, subscribedAmong } from '../store/accounts/voucher-store.ts'
import { loadConfig } from '../store/operation/config.ts'
import { countHits, countPredictions, firstModels } from '../store/racing/daily-hits-store.ts'
import { readDayMarket, readMarket } from '../store/racing/odds-store.ts'
import * as predictions from '../store/racing/prediction-store.ts'
import {
  hasRace,
  readRace,
  readRunners,
  type RaceFacts,
  type RunnerFacts,
} from '../store/racing/race-store.ts'
import * as schedule from '../store/racing/schedule.ts'
import { BY_CLASS, EVERYBODY, flagOf, found, moneyOf, pick, type Answer } from './answer.ts'
import { FALLBACK_REGION, lastRaceDayOf, type Context } from './context.ts'
import { ownAccountOnly, windowOf } from './paging.ts'

/** The races of a region, its published record, and each race. */
export function racingRoutes(answer: Answer, context: Context): void {
  scheduleRoutes(answer, context)
  settledRoutes(answer, context)
  totalRoutes(answer, context)
  cardRoutes(answer, context)
  openedRaceRoutes(answer, context)
}

/** Regions, racecourses and the races of a day or page. */
function scheduleRoutes(answer: Answer, context: Context): void {
  const { database, reader } = context.service

  answer(calls.queryCountryRegion, EVERYBODY, ({ language }) => schedule.listRegions(reader, language))

  answer(calls.queryStadiumByCountryRegionId, EVERYBODY, async ({ query, language }) =>
    (await schedule.listStadiums(reader, query.countryRegionId, language)).map((stadium) => ({
      ...stadium,
      latitude: placeOfStadium(stadium.id)?.latitude ?? null,
      longitude: placeOfStadium(stadium.id)?.longitude ?? null,
    })),
  )

  answer(calls.queryRace, EVERYBODY, ({ query, language }) =>
    schedule.listSchedule(reader, query.countryRegionId, query.today, language),
  )

  for (const [call, direction] of [
    [calls.queryRacePage, 'forward'],
    [calls.queryRacePageDesc, 'back'],
  ] as const) {
    answer(call, EVERYBODY, ({ query, language }) => {
      const page = { regionId: query.countryRegionId, today: query.today, ...windowOf(query) }
      return schedule.pageSchedule(reader, page, direction, language)
    })
  }

  answer(calls.queryDaySilks, EVERYBODY, ({ query }) =>
    schedule.listSilks(reader, query.countryRegionId, query.today),
  )

  answer(calls.queryNumberedByName, EVERYBODY, ({ query }) =>
    schedule.listNumberedByName(reader, query.countryRegionId, query.today),
  )

  // Who subscribed to a race may see all of its predictions (`gate.seesWholeRace`), so also what became of the first.
  answer(calls.queryRaceSubscribe, async ({ query, viewer, language }) => {
    const page = { regionId: query.countryRegionId, today: query.today, ...windowOf(query) }
    const rows = await predictions.pageSubscribed(database, HEADLINE, page, viewer.id, language)
    return rows.map(({ winners, horseNumber, outcome, profitCents, origin, ...race }) => ({
      ...race,
      ...resultOf({ winners, horseNumber, outcome, profitCents, origin }, true),
    }))
  })
}

/** Settled predictions of a page of races, and of the last meetings. */
function settledRoutes(answer: Answer, context: Context): void {
  const { cache } = context
  const { database, reader } = context.service
  const limitedClass = (): Promise<string> =>
    cache.value('limited class', async () => (await loadConfig(reader)).limitedGameplayClass)

  /** Which part of a region's record a viewer may see. */
  const seenBy = async (viewer: Viewer | null, regionId: string) => ({
    regionId,
    from: gate.oldestFreeDay(viewer, await lastRaceDayOf(context, regionId)),
    limitedClass: gate.limitedClassFor(viewer, await limitedClass()),
    limitedRaces: gate.LIMITED_RACES_A_DAY,
  })

  answer(calls.queryRacePredictionAccuracy, BY_CLASS, async ({ query, viewer, language }) => {
    const { today, countryRegionId: regionId, gameplayClass = null } = query
    const seen = await seenBy(viewer, regionId)
    // Only a member's unlocked races make their list differ from the shared one.
    const own =
      viewer !== null &&
      seen.from !== null &&
      (await hasOpenedBefore(database, viewer.id, regionId, seen.from, (await limitedClass()) !== ''))
    const customerId = own ? viewer.id : null
    const page = { ...seen, today, gameplayClass, customerId, ...windowOf(query) }
    const read = (): Promise<predictions.RecordRow[]> =>
      predictions.listRecords(own ? database : reader, HEADLINE, page, language)
    const rows = own ? await read() : await cache.value(`records ${JSON.stringify(page)} ${language}`, read)
    return rows.map(recordItem)
  })

  answer(calls.queryLastRacePredictionAccuracy, BY_CLASS, async ({ query, viewer, language }) => {
    const seen = await seenBy(viewer, query.countryRegionId ?? FALLBACK_REGION)
    const meetings = { ...seen, today: query.today, customerId: viewer?.id ?? null }
    // Read from the primary, so that a race which a member has just unlocked is included.
    const source = viewer === null ? reader : database
    return (await predictions.listLastMeetings(source, HEADLINE, meetings, language)).map(recordItem)
  })

  answer(calls.queryMeetingResults, BY_CLASS, async ({ query, viewer, language }) => {
    const seen = await seenBy(viewer, query.countryRegionId)
    const source = viewer === null ? reader : database
    const asked = { ...seen, today: query.today, customerId: viewer?.id ?? null }
    const rows = await predictions.listMeetingResults(source, HEADLINE, asked, language)
    return [...groupBy(rows, ({ date, stadiumName }) => `${date} ${stadiumName}`).values()].map(meetingOf)
  })
}

/** Numbers of predictions and of hits. */
function totalRoutes(answer: Answer, context: Context): void {
  const { reader } = context.service

  answer(calls.queryPredictionsTotal, EVERYBODY, ({ query }) =>
    countPredictions(reader, query.today, query.countryRegionId ?? null),
  )

  /** The days up to the last one with results: between seasons, those up to today have none. */
  const spanOf = async (query: { countryRegionId?: string | undefined; days: number }) => {
    const regionId = query.countryRegionId ?? null
    const to = await lastRaceDayOf(context, regionId)
    return { from: addDays(to, query.days + 1), to, regionId }
  }

  answer(calls.queryAccuracyInDays, EVERYBODY, async ({ query }) => {
    const span = await spanOf(query)
    const { hits, misses } = await countHits(reader, { ...span, gameplayClass: query.gameplayClass })
    return hits + misses === 0 ? null : hits / (hits + misses)
  })

  answer(queryAccuracyDetail, EVERYBODY, async ({ query }) => {
    const span = await spanOf(query)
    const [count, models] = await Promise.all([
      countHits(reader, { ...span, gameplayClass: query.gameplayClass }),
      firstModels(reader, span),
    ])
    return { ...count, models }
  })
}

/** A race's tip and card, which everybody sees in part. */
function cardRoutes(answer: Answer, context: Context): void {
  const { cache } = context
  const { database, reader, now } = context.service

  answer(calls.queryRaceTips, BY_CLASS, async ({ query, viewer, language }) => {
    const { countryRegionId: regionId, today: from } = query
    const tips = await cache.value(`tips ${regionId} ${from} ${language}`, () =>
      predictions.listTips(reader, HEADLINE, regionId, from, language),
    )
    const raceIds = tips.map(({ race }) => race.id)
    const isAlone = viewer === null || raceIds.length === 0
    const mine = isAlone ? new Set() : await subscribedAmong(database, viewer.id, raceIds)
    return tips
      .map((tip) => gate.tipFor(viewer, tip, mine.has(tip.race.id), now()))
      .filter((tip) => tip !== null)
  })

  const raceOf = async (raceId: string, language: Parameters<typeof readRace>[2]): Promise<RaceFacts> => {
    const race = await readRace(reader, raceId, language)
    if (race === null) throw new FurlongError('no-such-race')
    return race
  }

  // Like results, how a race was run and the runs before it are for everybody.
  answer(queryRaceSections, EVERYBODY, ({ query }) => raceSections(reader, query.raceId))

  answer(queryPaceMap, EVERYBODY, ({ query }) => racePaceMap(reader, query.raceId))

  answer(calls.queryRaceInfo, BY_CLASS, async ({ query, viewer, language }) => {
    const race = await raceOf(query.raceId, language)
    const mine = await isSubscribed(database, viewer, query.raceId)
    const tip = await predictions.readTip(reader, HEADLINE, query.raceId, language)
    return {
      ...race,
      isAnalyzer: flagOf(race.status === 'final'),
      isSubscribe: flagOf(gate.seesWholeRace(viewer, mine)),
      tips: tip === null ? null : gate.tipFor(viewer, tip, mine, now()),
    }
  })

  answer(calls.queryRaceCompetitor, BY_CLASS, async ({ query, viewer, language }) => {
    const race = await raceOf(query.raceId, language)
    const open = gate.seesWholeRace(viewer, await isSubscribed(database, viewer, query.raceId))
    const runners = await readRunners(reader, query.raceId, HEADLINE, language, now())
    return runners.map((runner) => competitorOf(runner, race, open))
  })
}

/** What only those see who opened the race. */
function openedRaceRoutes(answer: Answer, context: Context): void {
  const { database, reader, now } = context.service

  answer(calls.queryRacePredictionCache, async ({ query, viewer, language }) => {
    await requireRace(context.service, viewer, query.raceId)
    const filter = { raceId: query.raceId, gameplayClass: query.gameplayClass, ...windowOf(query) }
    const model = query.model ?? HEADLINE
    const rows = await predictions.listPredictions(reader, model, filter, language)
    return rows.map((row) => predictionItem(row, model))
  })

  answer(calls.queryOddsTrack, async ({ query, viewer }) => {
    const [raceId = '', gameplayClass, rank, ...names] = query.rprId.split('-')
    await requireRace(context.service, viewer, raceId)
    const prediction = { raceId, gameplayClass: Number(gameplayClass), rank: Number(rank) }
    const model = names.length > 0 ? names.join('-') : HEADLINE
    return found(await predictions.readOddsTrack(reader, model, prediction, now()))
  })

  answer(calls.queryRaceMarket, async ({ query, viewer }) => {
    await requireRace(context.service, viewer, query.raceId)
    return readMarket(reader, query.raceId, now())
  })

  answer(queryDayMarket, async ({ query, viewer, language }) => {
    const { countryRegionId: regionId, today: day } = query
    const races = await context.cache.value(`market ${regionId} ${day} ${language}`, () =>
      readDayMarket(reader, regionId, day, language, now()),
    )
    const raceIds = races.map(({ raceId }) => raceId)
    const mine = raceIds.length === 0 ? new Set() : await subscribedAmong(database, viewer.id, raceIds)
    return races.map(({ raceId, runners }) => {
      const open = gate.seesWholeRace(viewer, mine.has(raceId))
      return { raceId, open, runners: open ? (JSON.parse(runners) as DayMarketRace['runners']) : [] }
    })
  })

  answer(raceSubscribe, async ({ query, viewer }) => {
    ownAccountOnly(viewer, query.account)
    const subscribed = await subscribe(context.service, viewer.id, query.raceId)
    return { raceId: query.raceId, ...subscribed }
  })

  answer(subscribeCheck, async ({ query, viewer }) => {
    ownAccountOnly(viewer, query.account)
    return flagOf(await isSubscribed(database, viewer, query.goodsId))
  })
}

const isSubscribed = async (database: Queries, viewer: Viewer | null, raceId: string): Promise<boolean> =>
  viewer !== null && (await readSubscription(database, viewer.id, raceId)) !== null

/** Throws `no-such-race`, and `not-subscribed` unless the viewer may see the whole race. */
export async function requireRace(
  { database, reader }: Pick<Service, 'database' | 'reader'>,
  viewer: Viewer,
  raceId: string,
): Promise<void> {
  if (!(await hasRace(reader, raceId))) throw new FurlongError('no-such-race')
  gate.requireWholeRace(viewer, await isSubscribed(database, viewer, raceId))
}

/** Public id of a prediction: race, bet type and rank. */
const predictionId = (raceId: string, gameplayClass: number, rank: number): string =>
  `${raceId}-${gameplayClass}-${rank}`

/** A settled prediction in the form returned by the record's calls. */
function recordItem({
  rank,
  combination,
  finish,
  profitCents,
  ...row
}: predictions.RecordRow): calls.RecordItem {
  const { numbersShown } = gameplayOf(row.gameplayClass as GameplayClass)
  const results = finish.split(' ').flatMap((entry) => {
    const [place, number] = entry.split(':').map(Number)
    return number !== undefined && place! <= numbersShown ? [number] : []
  })
  return {
    ...row,
    id: predictionId(row.raceId, row.gameplayClass, rank),
    round: row.stadiumNum,
    results: results.join('-'),
    predictionResults: combination,
    isAccuracy: flagOf(row.outcome === 'hit'),
    profit: moneyOf(profitCents),
  }
}

/** A meeting with the first choices that its viewer may see. */
const meetingOf = (races: readonly predictions.MeetingRaceRow[]): calls.Meeting => ({
  ...pick(races[0]!, 'date', 'stadiumName'),
  races: races.map((race) => ({
    ...pick(race, 'raceId', 'raceNo', 'numbersByName'),
    ...resultOf(race, race.open),
    rank: race.open ? race.rank : null,
  })),
})

/** The winners of a race, and its first choice as a bet if `open`: if the viewer may see the race's predictions. */
const resultOf = (
  { winners, horseNumber, outcome, profitCents, origin }: predictions.ResultRow,
  open: boolean,
): Pick<calls.MeetingRace, 'winners' | 'pick'> => ({
  winners: (JSON.parse(winners) as predictions.StoredWinner[]).map(({ dividendCents, ...winner }) => ({
    ...winner,
    dividend: moneyOf(dividendCents),
  })),
  pick:
    open && horseNumber !== null && outcome !== null
      ? { horseNumber, outcome, profit: moneyOf(profitCents), origin }
      : null,
})

/** A runner on the card; `open`: with what only those see who opened the race. */
const competitorOf = (runner: RunnerFacts, race: RaceFacts, open: boolean): calls.Competitor => ({
  ...runner,
  name: runner.horseName,
  margin: runner.finishLength,
  openingOdds: open ? runner.openingOdds : null,
  tenMinuteOdds: open ? runner.tenMinuteOdds : null,
  probability: open ? runner.probability : null,
  predictedRank: open ? runner.predictedRank : null,
  isAnalyzer: flagOf(race.status === 'final'),
  ...pick(race, 'trackType', 'weather', 'raceNumber', 'distance', 'trackCondition', 'raceClass'),
})

function predictionItem(
  { rank, combination, selected, cautious, upsetGuard, profitCents, ...row }: predictions.PredictionRow,
  model: string | null,
): calls.Prediction {
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
    isAccuracy: flagOf(row.outcome === 'hit'),
    profit: moneyOf(profitCents),
  }
}
