import * as calls from '../../contract/api/model.ts'
import { FurlongError } from '../../domain/errors.ts'
import { promotedBy } from '../model/headline.ts'
import { cardMarkdown } from '../scoring/card-text.ts'
import { proofOf } from '../model/proof.ts'
import { brokenModelsOf, readLockedPredictions } from '../store/racing/audit-store.ts'
import { listLocks, listLocksOfDay, listLocksOfRace, type StoredLock } from '../store/racing/lock-store.ts'
import { readRaceRegion } from '../store/racing/race-store.ts'
import { listPromotions, loadCard } from '../store/racing/scoring-state-store.ts'
import { EVERYBODY, pick, type Answer } from './answer.ts'
import type { Context } from './context.ts'
import { requireRace } from './racing.ts'

const CHAIN_PAGE = 500

const publishedLock = (lock: StoredLock): calls.Lock =>
  pick(lock, 'number', 'raceId', 'modelId', 'sha256', 'lockedAt', 'chain')

/** Routes for commitments, the predictions they cover, and the model card. */
export function modelRoutes(answer: Answer, context: Context): void {
  const { database, reader, now } = context.service

  answer(calls.queryLockChain, async ({ query }) => {
    const { previous, entries } = await listLocks(
      database,
      query.countryRegionId,
      query.fromNumber,
      CHAIN_PAGE,
    )
    return { previous, entries: entries.map(publishedLock) }
  })

  answer(calls.queryLocksOfDay, async ({ query }) =>
    (await listLocksOfDay(database, query.countryRegionId, query.day)).map(publishedLock),
  )

  answer(calls.queryRaceLocks, async ({ query: { raceId } }) => {
    const regionId = await readRaceRegion(database, raceId)
    if (regionId === null) throw new FurlongError('no-such-race')
    return {
      regionId,
      entries: (await listLocksOfRace(database, raceId)).map(publishedLock),
      changed: await brokenModelsOf(database, raceId),
    }
  })

  answer(calls.queryLockedForecasts, async ({ query: { raceId }, viewer }) => {
    await requireRace({ database, reader: database }, viewer, raceId)
    const forecasts = await readLockedPredictions(database, [raceId])
    return [...forecasts.values()].map(({ modelId, chances, predictions }) => ({
      raceId,
      modelId,
      chances: chances.map((row) => pick(row, 'horseNo', 'probability')),
      predictions: predictions.map((row) => ({
        ...pick(row, 'gameplayClass', 'rank', 'combination', 'probability'),
        ...pick(row, 'selected', 'cautious', 'upsetGuard'),
      })),
    }))
  })

  answer(calls.queryModelCard, async ({ query, viewer }) => {
    if (!viewer.isVip) throw new FurlongError('vip-needed')
    const card = await loadCard(database, query.countryRegionId)
    if (card === null) return null
    const promotions = await listPromotions(database, query.countryRegionId)
    return { card, text: cardMarkdown(card, promotions), promotions }
  })
  answer(calls.queryProof, EVERYBODY, async ({ query: { countryRegionId } }) => {
    const card = await loadCard(reader, countryRegionId)
    if (card === null) return null
    return proofOf(card, promotedBy(await listPromotions(reader, countryRegionId), now().toISOString()))
  })
}
