import { rankOf } from './horse-hit.ts'
import { movementBetween } from './odds-replay.ts'
import { programOrder } from './program-number.ts'

/** The chance whose bar has its full length. Bars of all races have one scale, so that they can be compared. */
export const CHANCE_SCALE = 0.5

/** The data of a runner that a racecard needs. */
export interface CardRunner {
  horseNumber: number | null
  /** Number of its coupled entry, whose horses are one bet. */
  entryNumber: number | null
  status: 'declared' | 'finished' | 'unfinished' | 'withdrawn'
  /** Place or published code; empty until the result is known. */
  ranking: string
  draw: number | null
  actualWeight: number | null
  ratingScore: number | null
  odds: number | null
  openingOdds: number | null
  probability: number | null
}

export interface CardFigures {
  /** `1 / probability`. */
  fairOdds: number | null
  /** The model's probability minus the market's, as a fraction. */
  edge: number | null
  /** Current odds over the first ones, minus 1: negative if they shortened. */
  movement: number | null
}

/** The value by which each order sorts a runner. */
const CARD_ORDERS = {
  /** Finishers by place, then those that did not finish, then withdrawn ones. */
  finish: (runner) => (runs(runner) ? (rankOf(runner.ranking) ?? 1000) : Number.POSITIVE_INFINITY),
  number: programOrder,
  draw: ({ draw }) => draw,
  weight: ({ actualWeight }) => actualWeight,
  rating: ({ ratingScore }) => ratingScore,
  odds: (runner) => (runs(runner) ? runner.odds : null),
  model: (runner) => (runs(runner) ? runner.probability : null),
  fair: (_, { fairOdds }) => fairOdds,
  edge: (_, { edge }) => edge,
} satisfies Record<string, (runner: CardRunner, figures: CardFigures) => number | null>
export type CardOrder = keyof typeof CARD_ORDERS

/** Orders that start with the largest value. */
const LARGEST_FIRST: ReadonlySet<CardOrder> = new Set(['weight', 'rating', 'model', 'edge'])

/** Whether an order is ascending; `reversed`: the opposite of its default direction. */
export const isAscending = (order: CardOrder, reversed: boolean): boolean =>
  LARGEST_FIRST.has(order) === reversed

const runs = ({ status }: CardRunner): boolean => status !== 'withdrawn'

/**
 * The market's probability of each starter, in the given order: `1 / odds` over the sum for all bets, the horses of a
 * coupled entry being one bet. In a pool that is also the share of the money on it. All are `null` if an odds is unknown.
 */
export function marketShares(
  starters: readonly Pick<CardRunner, 'odds' | 'entryNumber'>[],
): (number | null)[] {
  const bets = new Map<string, number>()
  for (const [index, { odds, entryNumber }] of starters.entries()) {
    if (odds === null) return starters.map(() => null)
    bets.set(entryNumber === null ? `horse ${index}` : `entry ${entryNumber}`, odds)
  }
  const sum = [...bets.values()].reduce((total, odds) => total + 1 / odds, 0)
  return starters.map(({ odds }) => 1 / odds! / sum)
}

/** Figures of each runner, in the given order; none of those that do not run. */
export function cardFigures(runners: readonly CardRunner[]): CardFigures[] {
  const starters = runners.filter(runs)
  const shares = marketShares(starters)
  const shareOf = new Map(starters.map((runner, index) => [runner, shares[index]!]))
  return runners.map((runner) => {
    const { odds, openingOdds, probability } = runner
    const running = runs(runner)
    const share = shareOf.get(runner) ?? null
    return {
      fairOdds: running && probability !== null && probability > 0 ? 1 / probability : null,
      edge: share !== null && probability !== null ? probability - share : null,
      movement: running ? movementBetween(openingOdds, odds) : null,
    }
  })
}

/** Compares two values in a direction, 1: ascending, -1: descending; missing values come last in both. */
export function compareKnown<Value extends number | string>(
  a: Value | null,
  b: Value | null,
  direction: 1 | -1,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  // Subtracting infinite values, as withdrawn horses have, would give NaN.
  return a === b ? 0 : a < b ? -direction : direction
}

/** Runners with their figures, sorted; missing values come last in both directions. */
export function orderedCard<Runner extends CardRunner>(
  runners: readonly Runner[],
  order: CardOrder,
  reversed: boolean,
): { runner: Runner; figures: CardFigures }[] {
  const figures = cardFigures(runners)
  const direction = isAscending(order, reversed) ? 1 : -1
  const rows = runners.map((runner, index) => ({
    runner,
    figures: figures[index]!,
    value: CARD_ORDERS[order](runner, figures[index]!),
  }))
  return rows.toSorted((a, b) => compareKnown(a.value, b.value, direction))
}
