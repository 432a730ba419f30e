/** One choice among several: the logarithms of their probabilities, and the index chosen. */
export interface Choice {
  logs: readonly number[]
  chosen: number
}

const MAX_STEPS = 50
/** Wider than any published fit: a few races that agree by chance must not yield near certainties. */
const RANGE = { least: 0.2, most: 2 }

/**
 * The exponent `e` for which shares `p^e / Σ p^e` make the choices most likely, and its standard error.
 * Newton's method on a concave likelihood, clamped to 0.2 to 2. Returns 1 if there is nothing to learn from.
 */
export function fitExponent(choices: readonly Choice[]): { exponent: number; standardError: number } {
  let exponent = 1
  let curvature = 0
  for (let step = 0; step < MAX_STEPS; step += 1) {
    let slope = 0
    curvature = 0
    for (const { logs, chosen } of choices) {
      const { mean, square } = moments(logs, exponent)
      slope += logs[chosen]! - mean
      curvature += square - mean * mean
    }
    if (!(curvature > 1e-9)) return { exponent: 1, standardError: Number.POSITIVE_INFINITY }
    const wanted = exponent + Math.max(-0.5, Math.min(0.5, slope / curvature))
    const move = Math.min(RANGE.most, Math.max(RANGE.least, wanted)) - exponent
    exponent += move
    if (Math.abs(move) < 1e-10) break
  }
  return { exponent, standardError: 1 / Math.sqrt(curvature) }
}

function moments(logs: readonly number[], exponent: number): { mean: number; square: number } {
  const most = Math.max(...logs)
  let total = 0
  let mean = 0
  let square = 0
  for (const log of logs) {
    const share = Math.exp(exponent * (log - most))
    total += share
    mean += share * log
    square += share * log * log
  }
  return { mean: mean / total, square: square / total }
}

/** Log-likelihood of the choices under an exponent. */
export function choiceLikelihood(choices: readonly Choice[], exponent: number): number {
  let sum = 0
  for (const { logs, chosen } of choices) {
    const most = Math.max(...logs)
    const total = logs.reduce((rest, log) => rest + Math.exp(exponent * (log - most)), 0)
    sum += exponent * (logs[chosen]! - most) - Math.log(total)
  }
  return sum
}

/**
 * Minimum probability of a starter: no model is certain enough to call a win impossible, and logarithms stay
 * finite.
 */
const LEAST_CHANCE = 1e-6

/** Shares of `weights`, each at least `LEAST_CHANCE` before the final normalisation, summing to 1. */
export function toShares(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, value) => sum + value, 0)
  const shares = weights.map((value) => value / total)
  if (shares.every((share) => share >= LEAST_CHANCE)) return shares
  const raised = shares.map((share) => Math.max(share, LEAST_CHANCE))
  const sum = raised.reduce((all, share) => all + share, 0)
  return raised.map((share) => share / sum)
}

/** Probabilities raised to the power of `exponent`, normalised to sum to 1. */
export const toPower = (probabilities: readonly number[], exponent: number): number[] =>
  toShares(probabilities.map((value) => value ** exponent))
