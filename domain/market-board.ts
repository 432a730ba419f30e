import { rankOf } from './horse-hit.ts'
import { movementBetween, moveOf } from './odds-replay.ts'
import { compareKnown, marketShares } from './racecard.ts'

/** The win odds of a starter at the moments that are customarily compared; `null` where they are not known. */
export interface PricedStarter {
  horseNumber: number | null
  /** Number of its coupled entry, whose horses are one bet. */
  entryNumber: number | null
  /** The last recorded ones. */
  odds: number | null
  openingOdds: number | null
  thirtyMinuteOdds: number | null
  tenMinuteOdds: number | null
  /** As published; empty before the result. */
  ranking: string
}

interface PricedRace<Starter> {
  runners: readonly Starter[]
}

/** A starter of a day's market. Movements are odds over earlier ones, minus 1. */
export interface BoardRow<Race, Starter> {
  race: Race
  runner: Starter
  /** Since the first odds. */
  movement: number | null
  /** Since ten minutes before post time. */
  late: number | null
  /** Share of the money in the race's win pool; `null` unless the odds of all its starters are known. */
  share: number | null
  /** That share minus the one by the first odds. */
  gained: number | null
}

/** All starters of the races, in the order of the races. */
export function boardRows<Starter extends PricedStarter, Race extends PricedRace<Starter>>(
  races: readonly Race[],
): BoardRow<Race, Starter>[] {
  return races.flatMap((race) => {
    const shares = marketShares(race.runners)
    const firstShares = marketShares(
      race.runners.map(({ openingOdds: odds, entryNumber }) => ({ odds, entryNumber })),
    )
    return race.runners.map((runner, index) => {
      const share = shares[index]!
      const first = firstShares[index]!
      return {
        race,
        runner,
        movement: movementBetween(runner.openingOdds, runner.odds),
        late: lateMovement(runner),
        share,
        gained: share === null || first === null ? null : share - first,
      }
    })
  })
}

/**
 * The movement of a runner's odds since ten minutes before post time; `null` if it is not known. A late mover is one
 * whose odds since then shortened by a fifth or lengthened by a quarter or more (`moveOf`), wherever they began.
 */
export const lateMovement = ({
  tenMinuteOdds,
  odds,
}: Pick<PricedStarter, 'tenMinuteOdds' | 'odds'>): number | null => movementBetween(tenMinuteOdds, odds)

type Row = Omit<BoardRow<unknown, PricedStarter>, 'race'>

/** Which rows of a board are shown. */
const BOARD_FILTERS = {
  movers: (row) => moveOf(row.movement) !== null || moveOf(row.late) !== null,
  steamers: ({ movement }) => moveOf(movement) === 'steamer',
  drifters: ({ movement }) => moveOf(movement) === 'drifter',
  late: ({ late }) => moveOf(late) !== null,
  all: () => true,
} satisfies Record<string, (row: Row) => boolean>
export type BoardFilter = keyof typeof BOARD_FILTERS
export const BOARD_FILTER_IDS = Object.keys(BOARD_FILTERS) as BoardFilter[]

export const passes = (filter: BoardFilter, row: Row): boolean => BOARD_FILTERS[filter](row)

/** The value by which each order sorts a row; without one, rows stay in the order of the races. */
const BOARD_ORDERS = {
  race: () => 0,
  opening: ({ runner }) => runner.openingOdds,
  thirty: ({ runner }) => runner.thirtyMinuteOdds,
  ten: ({ runner }) => runner.tenMinuteOdds,
  odds: ({ runner }) => runner.odds,
  change: ({ movement }) => movement,
  late: ({ late }) => late,
  share: ({ share }) => share,
  place: ({ runner }) => rankOf(runner.ranking),
} satisfies Record<string, (row: Row) => number | null>
export type BoardOrder = keyof typeof BOARD_ORDERS

/** Whether an order is ascending: a share's default is the largest first; `reversed`: the opposite. */
export const isBoardAscending = (order: BoardOrder, reversed: boolean): boolean =>
  (order === 'share') === reversed

/** Rows sorted; missing values come last in both directions, and equal ones stay in the order of the races. */
export function orderedBoard<Of extends Row>(
  rows: readonly Of[],
  order: BoardOrder,
  reversed: boolean,
): Of[] {
  if (order === 'race') return reversed ? rows.toReversed() : [...rows]
  const direction = isBoardAscending(order, reversed) ? 1 : -1
  const valueOf = BOARD_ORDERS[order]
  return rows.toSorted((a, b) => compareKnown(valueOf(a), valueOf(b), direction))
}

/** What the sources of a day's odds recorded: nothing, one price a runner at most, or their movement. */
export function recordedOdds(runners: readonly PricedStarter[]): 'none' | 'last-only' | 'movement' {
  if (runners.some(({ openingOdds }) => openingOdds !== null)) return 'movement'
  return runners.some(({ odds }) => odds !== null) ? 'last-only' : 'none'
}
