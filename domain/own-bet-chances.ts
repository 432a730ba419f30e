import type { BetTable } from './bet-table.ts'
import { combinationChances, type CombinationChances } from './combination-chance.ts'
import type { GameplayClass } from './gameplay.ts'
import type { OrderRule } from './order-rule.ts'
import { mixed, withByHand } from './own-chances.ts'
import { remembered } from './remembered.ts'

/** The starters of a race with their win probabilities, in one order. Both sum to 1. */
export interface RaceVector {
  /** Saddle numbers. */
  numbers: readonly number[]
  model: readonly number[]
  /** `null` if the market's probability of any starter is unknown. */
  market: readonly number[] | null
  /** Places that the race pays. */
  places: number
}

/** How a user derives probabilities of their own from the model's and the market's. */
export interface ChanceMix {
  /** Share of the market in the geometric mixture; 0 is the model alone. */
  share: number
  /** How the places behind the winner follow from the win probabilities. */
  order: OrderRule
  /** Win probabilities that the user stored for a race, by race id and saddle number. */
  saved: ReadonlyMap<string, ReadonlyMap<number, number>>
}

/** What identifies a bet beside its row of the `BetTable`. */
export interface BetNames {
  raceIds: readonly string[]
  betTypes: readonly number[]
  /** Saddle numbers, `3-7`. */
  combinations: readonly string[]
}

/** The user's win probabilities of a race, in the vector's order. */
export function ownWin(
  { numbers, model, market }: RaceVector,
  { share, saved }: Pick<ChanceMix, 'share' | 'saved'>,
  raceId: string,
): number[] {
  const base = market === null ? [...model] : mixed(model, market, share)
  const byHand = saved.get(raceId)
  return byHand
    ? withByHand(
        base,
        numbers.map((number) => byHand.get(number) ?? null),
      )
    : base
}

/**
 * The bets with the user's own probabilities and the ranks that follow from them; everything else is as it was. A bet in
 * a race whose vector is unknown, or on a horse that is not in it, keeps its probability. `races` counts the races with
 * own probabilities. `onRace`: called after each race.
 */
export function withOwnChances(
  bets: BetTable,
  names: BetNames,
  vectorOf: (raceId: string) => RaceVector | undefined,
  mix: ChanceMix,
  onRace?: (done: number, all: number) => void,
): { bets: BetTable; races: number } {
  const probability = Float64Array.from(bets.probability)
  // The same few thousand texts come again in every race.
  const numbersOf = remembered((combination: string) => combination.split('-').map(Number))
  let races = 0
  for (let race = 0; race + 1 < bets.races.length; race += 1) {
    const first = bets.races[race]!
    const raceId = names.raceIds[first]!
    const vector = vectorOf(raceId)
    if (!vector) continue
    races += 1
    const win = ownWin(vector, mix, raceId)
    const at: number[] = []
    for (const [index, number] of vector.numbers.entries()) at[number] = index
    let combinations: CombinationChances | null = null
    for (let bet = first; bet < bets.races[race + 1]!; bet += 1) {
      const horses = numbersOf(names.combinations[bet]!).map((number) => at[number] ?? -1)
      if (horses.includes(-1)) continue
      if (names.betTypes[bet] === 1) probability[bet] = win[horses[0]!]!
      else {
        combinations ??= combinationChances(win, mix.order, vector.places)
        probability[bet] = combinations.of(names.betTypes[bet] as GameplayClass, horses)
      }
    }
    onRace?.(race + 1, bets.races.length - 1)
  }
  return { bets: { ...bets, probability, rank: ranksOf(bets, names.betTypes, probability) }, races }
}

/** Rank of each bet among those of its race and type, the most probable first; equal ones keep their order. */
function ranksOf(bets: BetTable, betTypes: readonly number[], probability: Float64Array): Float64Array {
  const rank = new Float64Array(bets.size)
  for (let race = 0; race + 1 < bets.races.length; race += 1) {
    const orders = new Map<number, number[]>()
    for (let bet = bets.races[race]!; bet < bets.races[race + 1]!; bet += 1) {
      const order = orders.get(betTypes[bet]!) ?? []
      orders.set(betTypes[bet]!, order)
      // Inserted one by one: a race has few bets of a type, and they nearly are in this order.
      let place = order.length
      while (place > 0 && probability[order[place - 1]!]! < probability[bet]!) place -= 1
      order.splice(place, 0, bet)
    }
    for (const order of orders.values()) for (const [place, bet] of order.entries()) rank[bet] = place + 1
  }
  return rank
}
