import { ODDS_FREE_MODELS, type OddsFreeModel } from '../../contract/model-ids.ts'
import { FurlongError } from '../../domain/errors.ts'
import { steadyTime } from '../db/clock-store.ts'
import { firstValue, type Database, type Queries } from '../db/database.ts'
import { promotedBy, type Promotion } from '../model/headline.ts'
import { holdChains } from '../store/racing/lock-store.ts'
import {
  appendPromotion,
  countLockedAhead,
  hasPredictionsOf,
  listPromotions,
  listVersions,
} from '../store/racing/scoring-state-store.ts'

interface PromotionReport extends Promotion {
  regionId: string
  /** The model that it takes the place of. */
  before: OddsFreeModel
  /** Number of coming races that were locked before, and go on showing that model unless they are locked again. */
  kept: number
}

/**
 * Makes a model without odds the one that a region's races show first where there are none, for races whose predictions
 * are locked from now on (docs/decisions/034-promotion.md). Throws `no-such-model`, `already-promoted`, `no-predictions`.
 */
export async function promoteModel(
  database: Database,
  regionId: string,
  name: string,
  now: Date,
): Promise<PromotionReport> {
  const model = ODDS_FREE_MODELS.find((id) => id === name)
  if (model === undefined)
    throw new FurlongError('no-such-model', { model: name, models: ODDS_FREE_MODELS.join(', ') })
  return database.transaction(async (transaction) => {
    await holdChains(transaction)
    const promotedAt = await instantAfterLocks(transaction, regionId, now)
    const before = promotedBy(await listPromotions(transaction, regionId), promotedAt)
    if (before === model) throw new FurlongError('already-promoted', { model, region: regionId })
    if (!(await hasPredictionsOf(transaction, regionId, model)))
      throw new FurlongError('no-predictions', { model, region: regionId })
    await appendPromotion(transaction, regionId, { model, promotedAt })
    const kept = await countLockedAhead(transaction, regionId, before)
    return { regionId, model, promotedAt, before, kept }
  })
}

/** An instant after every lock of a region, also after a clock that was ahead has been set right. Call it with the chains held. */
async function instantAfterLocks(queries: Queries, regionId: string, now: Date): Promise<string> {
  const steady = await steadyTime(queries, now)
  const newest = await firstValue<string | null>(
    queries,
    'select max(locked_at) from prediction_lock where region_id = $1',
    [regionId],
  )
  return new Date(Math.max(steady.getTime(), newest === null ? 0 : Date.parse(newest) + 1)).toISOString()
}

/** What a promotion changes, and what it leaves, as lines for a terminal. */
export const promotionLines = ({ regionId, model, before, promotedAt, kept }: PromotionReport): string[] => [
  `region ${regionId}: races that are locked from ${promotedAt} on show ${model} first where there are no odds, in place of ${before}; with odds blended stays first`,
  kept === 0
    ? `  what earlier races showed stays, and ${before} goes on being predicted and locked beside it`
    : `  what earlier races showed stays, also of ${kept} coming races that were locked before unless they are locked again; ${before} goes on being predicted and locked beside it`,
]

/** Which model without odds a region shows first, since when, and all promotions; `since`: null if none was promoted. */
export async function headlineStatus(database: Database, regionId: string, now: Date) {
  const promotions = await listPromotions(database, regionId)
  const headline = promotedBy(promotions, now.toISOString())
  const [newest = null] = (await listVersions(database, regionId)).toReversed()
  return { regionId, headline, since: promotions.at(-1)?.promotedAt ?? null, promotions, newest }
}

export const statusLines = ({
  regionId,
  headline,
  since,
  promotions,
  newest,
}: Awaited<ReturnType<typeof headlineStatus>>): string[] => [
  `region ${regionId}: ${headline} is shown first where there are no odds, ${since === null ? 'as always: nothing was promoted' : `since ${since}`}`,
  ...promotions.map(({ model, promotedAt }) => `  ${promotedAt}: ${model} promoted`),
  newest === null
    ? '  no model was trained yet'
    : `  newest version: season ${newest.season}, SHA-256 ${newest.sha256}`,
]
