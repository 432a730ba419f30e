/** A reader's own win probabilities, made from the model's, the market's, and changes by hand. */

/** Odds as probabilities that sum to 1: what the market says without its margin. `null` where an odds is not known. */
export function marketOf(odds: readonly (number | null)[]): number[] | null {
  if (odds.length === 0 || odds.some((each) => each === null || !(each > 0))) return null
  const inverse = odds.map((each) => 1 / each!)
  const sum = inverse.reduce((total, each) => total + each, 0)
  return inverse.map((each) => each / sum)
}

/**
 * The model's and the market's probabilities mixed in logarithms, as the blend of the scoring does: `share` 0 is the model, 1
 * the market. Both have the horses in the same order, above 0, and sum to 1; so does the answer.
 */
export function mixed(model: readonly number[], market: readonly number[], share: number): number[] {
  const raw = model.map((p, horse) => p ** (1 - share) * market[horse]! ** share)
  const sum = raw.reduce((total, each) => total + each, 0)
  return raw.map((each) => each / sum)
}

/** The least and the most that a horse can be given by hand: a certainty leaves nothing to share. */
export const LEAST_CHANCE = 0.001
export const MAX_CHANCE = 0.99

/**
 * Probabilities with some set by hand; the others keep their proportions and share what is left. Where all are set, all are
 * scaled to sum to 1. `byHand`: `null` for who is not set.
 */
export function withByHand(probabilities: readonly number[], byHand: readonly (number | null)[]): number[] {
  const set = byHand.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  const free = probabilities.reduce((sum, p, horse) => sum + (byHand[horse] === null ? p : 0), 0)
  const fixed = byHand.filter((each) => each !== null).length
  if (fixed === probabilities.length || free === 0) return byHand.map((each) => (each ?? 0) / set)
  // Who is not set keeps at least a little, however much the others were given.
  const left = Math.max(LEAST_CHANCE * (probabilities.length - fixed), 1 - set)
  const scale = (1 - left) / (set || 1)
  return probabilities.map((p, horse) => {
    const own = byHand[horse]
    return own === null || own === undefined ? (p / free) * left : own * scale
  })
}
