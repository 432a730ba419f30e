import { combinationText, GAMEPLAYS, type GameplayClass } from '../../domain/gameplay.ts'
import { combinationProbabilities, type StageExponents } from '../../domain/harville.ts'
import { normaliseOdds } from '../../domain/odds.ts'
import { chooseCombinations, type PredictionType } from '../../domain/prediction-types.ts'

export const MARKET_BASELINE = 'market-baseline'

/**
 * Domain notes section 2, the refit on 2006–13: made before the first race that is imported, so no predicted race
 * helped to fit it.
 */
export const STAGE_EXPONENTS: StageExponents = { second: 0.88, third: 0.73, fourth: 0.67 }

export interface PricedRunner {
  horseNo: number
  winOdds: number
}

export interface PredictionLine {
  gameplayClass: GameplayClass
  rank: number
  horses: number[]
  combination: string
  probability: number
  types: PredictionType[]
  /** Decimal odds last seen for the combination; known for class 1 only. */
  oddsSeen: number | null
}

/**
 * The public's own opinion as predictions of every class: win odds normalised over the field, then the discounted
 * Harville formulas. `places`: places the race pays. Empty for fewer than two priced runners.
 */
export function predictFromMarket(runners: readonly PricedRunner[], places: number): PredictionLine[] {
  if (runners.length < 2) return []
  // By saddle number, so that the order of rows in a file changes nothing.
  const field = runners.toSorted((a, b) => a.horseNo - b.horseNo)
  const win = normaliseOdds(field.map((runner) => runner.winOdds))
  const favourite = win.indexOf(Math.max(...win))
  const tables = combinationProbabilities(win, STAGE_EXPONENTS, places)
  return GAMEPLAYS.flatMap((gameplay) => {
    const oddsOf = (horses: readonly number[]): number | null =>
      gameplay.class === 1 ? field[horses[0]!]!.winOdds : null
    return chooseCombinations(tables[gameplay.class], favourite, oddsOf).map((chosen) => {
      const horses = chosen.horses.map((index) => field[index]!.horseNo)
      return {
        gameplayClass: gameplay.class,
        rank: chosen.rank,
        horses,
        combination: combinationText(gameplay.class, horses),
        // A sum over finishing orders may pass 1 by rounding.
        probability: Math.min(1, chosen.probability),
        types: chosen.types,
        oddsSeen: oddsOf(chosen.horses),
      }
    })
  })
}
