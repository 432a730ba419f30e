import type { CardMetrics, ModelCardAnswer, Proof, ProofLine } from '../../contract/api/model.ts'
import type { OddsFreeModel } from '../../contract/model-ids.ts'
import { wilsonInterval } from '../../domain/statistics.ts'
import { headlineOf } from './headline.ts'

const lineOf = ({ top1, races, returns }: CardMetrics, isRandom = false): ProofLine => ({
  hitRate: top1,
  hitInterval: isRandom ? null : wilsonInterval(Math.round(top1 * races), races),
  returns,
})

/**
 * First choices, the favourite and a random horse over the pooled seasons of a card. `promoted`: the model without odds that
 * races show first. `null` while the card has no pooled season.
 */
export function proofOf({ sources, pooled }: ModelCardAnswer, promoted: OddsFreeModel): Proof | null {
  const metricsOf = (name: string): CardMetrics | undefined =>
    sources.find(({ source }) => source === name)?.pooled
  const model = headlineOf(
    sources.map(({ source }) => source),
    promoted,
  )
  const [pick, favourite, random] = [model, 'market', 'uniform'].map(metricsOf)
  if (!pick || !favourite || !random) return null
  return {
    model,
    seasons: pooled,
    races: pick.races,
    pick: lineOf(pick),
    favourite: lineOf(favourite),
    random: lineOf(random, true),
  }
}
