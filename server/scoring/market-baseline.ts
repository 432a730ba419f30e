import { normaliseOdds } from '../../domain/odds.ts'
import { interestsOf, type Chance } from '../model/lines.ts'
import { toPower } from '../model/models/exponent.ts'
import type { ModelVersion } from '../model/models/model-version.ts'

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
