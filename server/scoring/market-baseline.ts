import { normaliseOdds } from '../../domain/odds.ts'
import { interestsOf, type Chance } from '../model/lines.ts'
import { toPower } from '../model/models/exponent.ts'
import type { ModelVersion } from '../model/models/model-version.ts'
import type { Contribution } from '../model/models/predict.ts'

export interface PricedRunner {
  horseNo: number
  winOdds: number
  /** Number of its coupled entry; `null` or absent if it is not coupled. */
  entryNo?: number | null
}

/**
 * The public's probabilities: win odds normalised over the betting interests, raised to the power fitted on
 * earlier seasons (the public underrates strong favourites). The horses of a coupled entry share one price,
 * which counts once. Ordered by number. Throws `bad-field`.
 */
export function marketChances(
  runners: readonly PricedRunner[],
  { power }: Pick<ModelVersion['market'], 'power'>,
): Chance[] {
  if (runners.length === 0) return []
  const field = interestsOf(runners).map(([number, [{ winOdds }]]) => ({ horseNo: number, winOdds }))
  const win = toPower(normaliseOdds(field.map(({ winOdds }) => winOdds)), power)
  return field.map((runner, index) => ({ ...runner, win: win[index]! }))
}

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
