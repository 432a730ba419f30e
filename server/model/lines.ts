import { groupBy } from '../../domain/group-by.ts'
import { combinationText, GAMEPLAYS, type GameplayClass } from '../../domain/gameplay.ts'
import { combinationProbabilities } from '../../domain/class-tables.ts'
import type { OrderRule } from '../../domain/order-rule.ts'
import { lockedProbability } from '../../domain/prediction-lock.ts'
import { chooseCombinations, type PredictionType } from '../../domain/prediction-types.ts'
import type { Contribution } from './models/predict.ts'
import type { ModelId } from './models/sources.ts'

/** A horse of a field to be predicted. */
export interface Chance {
  horseNo: number
  /** Win probability; above 0, sums to 1 over the field. */
  win: number
  /** Decimal odds last seen. */
  winOdds: number | null
}

/**
 * Betting interests by number, with their runners: a horse by its saddle number, a coupled entry by the
 * number that all its horses share.
 */
export function interestsOf<Runner extends { horseNo: number; entryNo?: number | null }>(
  runners: readonly Runner[],
): [number, [Runner, ...Runner[]]][] {
  const groups = groupBy(runners, ({ horseNo, entryNo }) => entryNo ?? horseNo)
  return [...groups].toSorted(([a], [b]) => a - b) as [number, [Runner, ...Runner[]]][]
}

/** One model's forecast of one race. */
export interface Forecast {
  modelId: ModelId
  /** Every betting interest, by number; `reasons` are empty if the model gives none. */
  chances: (Chance & { reasons: Contribution[] })[]
  lines: PredictionLine[]
}

export interface PredictionLine {
  gameplayClass: GameplayClass
  rank: number
  horses: number[]
  combination: string
  probability: number
  types: PredictionType[]
  /** Decimal odds last seen for the combination; known only for class 1. */
  oddsSeen: number | null
}

/**
 * Predictions of every class from win probabilities and the model's order rule (domain notes section 2): ten
 * combinations per class and those that fill a type. `places`: places the race pays. `basis`: whether cautious and upset guard are
 * chosen by the odds last seen, or by the model alone with its own first choice as the favourite. Empty for
 * fewer than two horses. Throws `bad-field`.
 */
export function predictLines(
  chances: readonly Chance[],
  order: OrderRule,
  places: number,
  basis: 'odds' | 'model' = 'odds',
): PredictionLine[] {
  if (chances.length < 2) return []
  // By saddle number, so that the order of rows in a file does not matter.
  const field = chances.toSorted((a, b) => a.horseNo - b.horseNo)
  const win = field.map((chance) => chance.win)
  const tables = combinationProbabilities(win, order, places)
  const favourite = basis === 'odds' ? favouriteOf(field) : win.indexOf(Math.max(...win))
  return GAMEPLAYS.flatMap((gameplay) => {
    const oddsOf = (horses: readonly number[]): number | null =>
      gameplay.class === 1 ? field[horses[0]!]!.winOdds : null
    const upset = gameplay.class !== 1 ? 'none' : basis === 'odds' ? oddsOf : 'longest'
    return chooseCombinations(tables[gameplay.class], { favourite, upset }).map((chosen) => {
      const horses = chosen.horses.map((index) => field[index]!.horseNo)
      return {
        gameplayClass: gameplay.class,
        rank: chosen.rank,
        horses,
        combination: combinationText(gameplay.class, horses),
        // A sum over finishing orders may exceed 1 by rounding.
        probability: lockedProbability(Math.min(1, chosen.probability)),
        types: chosen.types,
        oddsSeen: oddsOf(chosen.horses),
      }
    })
  })
}

/** Index of the horse with the shortest odds, the lowest number of several; `null` unless all have odds. */
function favouriteOf(field: readonly Chance[]): number | null {
  const odds = field.map(({ winOdds }) => winOdds ?? Number.POSITIVE_INFINITY)
  const shortest = Math.min(...odds)
  return odds.includes(Number.POSITIVE_INFINITY) ? null : odds.indexOf(shortest)
}
