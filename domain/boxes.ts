import type { CombinationChances } from './combination-chance.ts'
import { choices, combinationText, gameplayOf, type GameplayClass } from './gameplay.ts'
import { STAKE_CENTS } from './money.ts'
import { settle, type RaceOutcome } from './settlement.ts'

/**
 * A bet on several combinations of one pool with the same stake on each. Without bankers every combination of the legs; with
 * them every one that has all bankers and legs beside. In a pool of orders the bankers finish first, in their order, and the
 * legs behind them in any; without bankers every order of the legs counts.
 */
export interface Box {
  pool: GameplayClass
  /** Fewer than a combination of the pool has horses. */
  bankers: number
  legs: number
}

/** Most horses of a box, bankers included: a quartet box of eight has 1,680 combinations. */
export const MOST_BOX_HORSES = 8

/** Bankers that a pool allows: a combination has at least one leg. */
export const mostBankers = (pool: GameplayClass): number => Math.min(2, gameplayOf(pool).size - 1)

/** Fewest legs that make a combination of the pool with so many bankers. */
export const fewestLegs = (pool: GameplayClass, bankers: number): number => gameplayOf(pool).size - bankers

/**
 * How many combinations a box has; 0 if it has too few legs for one.
 *
 * ```ts
 * combinationsOf({ pool: 9, bankers: 0, legs: 4 }) // => 24
 * combinationsOf({ pool: 9, bankers: 1, legs: 3 }) // => 6
 * combinationsOf({ pool: 6, bankers: 1, legs: 3 }) // => 3
 * ```
 */
export function combinationsOf({ pool, bankers, legs }: Box): number {
  const { rule } = gameplayOf(pool)
  let count = 1
  for (let place = 0; place < fewestLegs(pool, bankers); place += 1)
    count *= Math.max(0, legs - place) / (rule === 'order' ? 1 : place + 1)
  return Math.round(count)
}

/**
 * A box as it is written on a ticket: bankers before a `>`, the legs behind it. `horses`: saddle numbers, bankers first.
 *
 * ```ts
 * boxText({ pool: 9, bankers: 0, legs: 4 }, [7, 1, 9, 4]) // => '1,4,7,9'
 * boxText({ pool: 6, bankers: 2, legs: 2 }, [7, 3, 9, 4]) // => '3,7 > 4,9'
 * boxText({ pool: 7, bankers: 2, legs: 2 }, [7, 3, 9, 4]) // => '7 > 3 > 4,9'
 * ```
 */
export function boxText({ pool, bankers }: Box, horses: readonly number[]): string {
  const ascending = (numbers: readonly number[]): string => numbers.toSorted((a, b) => a - b).join(',')
  const legs = ascending(horses.slice(bankers))
  if (bankers === 0) return legs
  const first = horses.slice(0, bankers)
  return `${gameplayOf(pool).rule === 'order' ? first.join(' > ') : ascending(first)} > ${legs}`
}

/** Whether a box has a combination. `horses`: those of the box, bankers first. */
function covers({ pool, bankers }: Box, horses: readonly number[], combination: readonly number[]): boolean {
  const isOrdered = gameplayOf(pool).rule === 'order'
  return (
    combination.every((horse) => horses.includes(horse)) &&
    horses
      .slice(0, bankers)
      .every((banker, at) => (isOrdered ? combination[at] === banker : combination.includes(banker)))
  )
}

/** The pool of sets that a pool of orders becomes once every order counts. */
const SETS: Partial<Record<GameplayClass, GameplayClass>> = { 5: 3, 7: 6, 9: 8 }

/**
 * How many of a box's combinations are expected to win: the sum of their chances, which is the chance of a hit where only one
 * can win. `horses`: indexes into the field of `chances`, bankers first.
 */
export function expectedWinners(box: Box, horses: readonly number[], chances: CombinationChances): number {
  const { pool, bankers } = box
  const isOrdered = gameplayOf(pool).rule === 'order'
  // Every order of a set together is one integral.
  const asSet = bankers === 0 ? SETS[pool] : undefined
  const first = horses.slice(0, bankers)
  let expected = 0
  for (const legs of choices(
    horses.slice(bankers),
    fewestLegs(pool, bankers),
    isOrdered && asSet === undefined,
  ))
    expected += chances.of(asSet ?? pool, [...first, ...legs])
  return expected
}

/** What a box of a settled race won. Amounts are cents for HK$10 on each combination. */
export interface SettledBox {
  /** Combinations that were not refunded. */
  live: number
  /** Those of them that won. */
  winners: number
  /** Paid for the winners whose dividend is known. */
  paid: number
  /** The winners whose dividend is not known. */
  unpriced: number[][]
  /** Whether the pool has no published line: then it is unknown whether the bet could have been placed. */
  unheld: boolean
}

/**
 * Settles each combination of a box by the rules of single bets (`settle`), without visiting those that lost. `horses`: saddle
 * numbers, bankers first.
 */
export function settleBox(
  box: Box,
  horses: readonly number[],
  race: Omit<RaceOutcome, 'amended'>,
): SettledBox {
  const { pool, bankers } = box
  const lines = race.dividends.filter(({ gameplayClass }) => gameplayClass === pool)
  const settled: SettledBox = { live: 0, winners: 0, paid: 0, unpriced: [], unheld: lines.length === 0 }
  const isRefunded = lines.some(({ status, combination }) => status === 'refund' && combination === '')
  const gone = horses.filter((horse) => race.finish.didNotStart(horse))
  const isAbsent = (horse: number): boolean => gone.includes(horse)
  if (isRefunded || (pool === 2 && race.places === 0) || horses.slice(0, bankers).some(isAbsent))
    return settled
  settled.live = combinationsOf({ ...box, legs: box.legs - gone.length })
  for (const combination of decided(box, horses, race)) {
    const { outcome, profitCents } = settle(pool, combination, race)
    if (outcome === 'void' && !combination.some(isAbsent)) settled.live -= 1
    if (outcome !== 'hit') continue
    settled.winners += 1
    if (profitCents === null) settled.unpriced.push(combination)
    else settled.paid += profitCents + STAKE_CENTS
  }
  return settled
}

/** The combinations of a box that a line or the finish may make anything but lost. */
function decided(
  box: Box,
  horses: readonly number[],
  { finish, places, dividends }: Omit<RaceOutcome, 'amended'>,
): number[][] {
  const { rule, depth, size } = gameplayOf(box.pool)
  const first = finish.among(rule === 'among' && depth !== 'places' ? depth : Math.max(size, places))
  const found = new Map<string, number[]>()
  const add = (combination: number[]): void => {
    if (covers(box, horses, combination)) found.set(combinationText(box.pool, combination), combination)
  }
  const possible = horses.filter((horse) => first.includes(horse))
  for (const combination of choices(possible, size, rule === 'order')) add(combination)
  for (const { gameplayClass, combination } of dividends)
    if (gameplayClass === box.pool && combination !== '') add(combination.split('-').map(Number))
  return [...found.values()]
}
