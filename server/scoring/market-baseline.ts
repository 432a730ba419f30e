import { normaliseOdds } from '../../domain/odds.ts'
import type { Chance } from './lines.ts'
import { toPower } from './models/exponent.ts'
import type { ModelVersion } from './models/model-version.ts'

export interface PricedRunner {
  horseNo: number
  winOdds: number
}

/**
 * The public's own opinion: win odds normalised over the field, to the power that earlier seasons taught (the public
 * underrates its strong favourites). By saddle number. Throws `bad-field`.
 */
export function marketChances(
  runners: readonly PricedRunner[],
  { power }: Pick<ModelVersion['market'], 'power'>,
): Chance[] {
  if (runners.length === 0) return []
  const field = runners.toSorted((a, b) => a.horseNo - b.horseNo)
  const win = toPower(normaliseOdds(field.map(({ winOdds }) => winOdds)), power)
  return field.map((runner, index) => ({ ...runner, win: win[index]! }))
}
