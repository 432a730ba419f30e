import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/api/model.ts'
import { FurlongError } from '../../domain/errors.ts'
import { cardMarkdown } from '../scoring/card-text.ts'
import type { ModelCard } from '../scoring/model-card.ts'
import { requireWholeRace } from '../services/gate.ts'
import { brokenModelsOf, readLockedPredictions } from '../store/racing/audit-store.ts'
import { listLocks, listLocksOfDay, listLocksOfRace, type StoredLock } from '../store/racing/lock-store.ts'
import { readRaceRegion } from '../store/racing/race-store.ts'
import { loadCard } from '../store/racing/scoring-state-store.ts'
import { readSubscription } from '../store/accounts/voucher-store.ts'
import { answerCall } from './answer.ts'
import type { Context } from './context.ts'

const CHAIN_PAGE = 500

const publishedLock = ({ number, raceId, modelId, sha256, lockedAt, chain }: StoredLock): calls.Lock => ({
  number,
  raceId,
  modelId,
  sha256,
  lockedAt,
  chain,
})

/** Routes for commitments, the predictions they cover, and the model card. */
export function modelRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context.service

  answerCall(app, context, calls.queryLockChain, async ({ query }) => {
    const { previous, entries } = await listLocks(
      database,
      query.countryRegionId,
      query.fromNumber,
      CHAIN_PAGE,
    )
    return { previous, entries: entries.map(publishedLock) }
  })

  answerCall(app, context, calls.queryLocksOfDay, async ({ query }) =>
    (await listLocksOfDay(database, query.countryRegionId, query.day)).map(publishedLock),
  )

  answerCall(app, context, calls.queryRaceLocks, async ({ query: { raceId } }) => {
    const regionId = await readRaceRegion(database, raceId)
    if (regionId === null) throw new FurlongError('no-such-race')
    return {
      regionId,
      entries: (await listLocksOfRace(database, raceId)).map(publishedLock),
      changed: await brokenModelsOf(database, raceId),
    }
  })

  answerCall(app, context, calls.queryLockedForecasts, async ({ query: { raceId }, viewer }) => {
    if ((await readRaceRegion(database, raceId)) === null) throw new FurlongError('no-such-race')
    requireWholeRace(viewer, (await readSubscription(database, viewer.id, raceId)) !== null)
    const forecasts = await readLockedPredictions(database, [raceId])
    return [...forecasts.values()].map(({ modelId, chances, predictions }) => ({
      raceId,
      modelId,
      chances: chances.map(({ horseNo, probability }) => ({ horseNo, probability })),
      predictions: predictions.map(
        ({ gameplayClass, rank, combination, probability, selected, cautious, upsetGuard }) => ({
          gameplayClass,
          rank,
          combination,
          probability,
          selected,
          cautious,
          upsetGuard,
        }),
      ),
    }))
  })

  answerCall(app, context, calls.queryModelCard, async ({ query, viewer }) => {
    if (!viewer.isVip) throw new FurlongError('vip-needed')
    const content = await loadCard(database, query.countryRegionId)
    if (content === null) return null
    const card = JSON.parse(content) as ModelCard
    return { card, text: cardMarkdown(card) }
  })
}
