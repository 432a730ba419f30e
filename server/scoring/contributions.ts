import type { Contribution } from './models/predict.ts'

const logOdds = (probability: number): number => Math.log(probability / (1 - probability))

/**
 * What moved the market line for each horse of a race. It knows one thing of a horse, the public's odds, so that is
 * all of its log-odds against the field's mean; none for a horse without a probability.
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
