import { normalised } from './odds.ts'

/** A user's own win probabilities, derived from the model's, the market's, and manual changes. */

/**
 * Odds as probabilities that sum to 1: the market's estimate without its margin. `null`
 * if any odds are unknown.
 */
export function marketOf(odds: readonly (number | null)[]): number[] | null {
  if (odds.length === 0 || odds.some((each) => each === null || !(each > 0))) return null
  return normalised(odds.map((each) => 1 / each!))
}

/**
 * The model's and the market's probabilities mixed geometrically, as in the blend of the scoring:
 * `share` 0 is the model, 1 the market. Both list the horses in the same order, above 0, and sum
 * to 1; so does the result.
 */
export const mixed = (model: readonly number[], market: readonly number[], share: number): number[] =>
  normalised(model.map((p, horse) => p ** (1 - share) * market[horse]! ** share))

/** Bounds of a manual probability: a certainty would leave nothing for the other horses. */
export const LEAST_CHANCE = 0.001
export const MAX_CHANCE = 0.99

/**
 * Probabilities with some set manually; the others share the remainder in proportion. If all are set, they
 * are scaled to sum to 1. `byHand`: `null` for each horse that is not set.
 */
export function withByHand(probabilities: readonly number[], byHand: readonly (number | null)[]): number[] {
  const set = byHand.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  const free = probabilities.reduce((sum, p, horse) => sum + (byHand[horse] === null ? p : 0), 0)
  const fixed = byHand.filter((each) => each !== null).length
  if (fixed === probabilities.length || free === 0) return byHand.map((each) => (each ?? 0) / set)
  // Horses that are not set keep a minimum probability, however much the others were given.
  const left = Math.max(LEAST_CHANCE * (probabilities.length - fixed), 1 - set)
  const scale = (1 - left) / (set || 1)
  return probabilities.map((p, horse) => {
    const own = byHand[horse]
    return own === null || own === undefined ? (p / free) * left : own * scale
  })
}
