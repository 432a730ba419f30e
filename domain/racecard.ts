import { rankOf } from './horse-hit.ts'

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
  number: ({ horseNumber }) => horseNumber,
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
 * Figures of each runner, in the given order. The market's probability of a horse is `1 / odds` over the sum
 * for all bets; the horses of a coupled entry are one bet and count once in that sum.
 */
export function cardFigures(runners: readonly CardRunner[]): CardFigures[] {
  const bets = new Map<string, number>()
  for (const [index, runner] of runners.entries()) {
    if (!runs(runner) || runner.odds === null) continue
    bets.set(runner.entryNumber === null ? `horse ${index}` : `entry ${runner.entryNumber}`, runner.odds)
  }
  const sum = [...bets.values()].reduce((total, odds) => total + 1 / odds, 0)
  const everyKnown = runners.every((runner) => !runs(runner) || runner.odds !== null)
  return runners.map((runner) => {
    const { odds, openingOdds, probability } = runner
    const running = runs(runner)
    return {
      fairOdds: running && probability !== null && probability > 0 ? 1 / probability : null,
      edge:
        running && everyKnown && odds !== null && probability !== null ? probability - 1 / odds / sum : null,
      movement: running && odds !== null && openingOdds !== null ? odds / openingOdds - 1 : null,
    }
  })
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
  return rows.toSorted((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
    // Withdrawn horses are equal: subtracting their infinite values would give NaN.
    return a.value === b.value ? 0 : a.value < b.value ? -direction : direction
  })
}
