import type { Contribution } from '../model/models/predict.ts'

const logOdds = (probability: number): number => Math.log(probability / (1 - probability))

/**
 * Contributions to the market model's probability for each horse of a race. The model knows only the public's
 * odds, so there is a single contribution: the horse's log-odds relative to the field's mean. None for a
 * horse without a probability.
 */
export function marketContributions(probabilities: readonly (number | null)[]): Contribution[][] {
  const known = probabilities
    .filter((value) => value !== null && value > 0 && value < 1)
    .map((value) => logOdds(value!))
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length
  return probabilities.map((probability) =>
    probability === null || probability <= 0 || probability >= 1
      ? []
      : [{ feature: 'winOdds', value: logOdds(probability) - mean }],
  )
}
