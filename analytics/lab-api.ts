import type { BetRules } from '../domain/bet-table.ts'
import type { Box } from '../domain/boxes.ts'
import type { Drawdown } from '../domain/staking-summary.ts'
import type { ChanceMix } from '../domain/own-bet-chances.ts'
import type { StakedGroup } from '../domain/staking-groups.ts'
import type { StakePlan } from '../domain/staking.ts'
import type { WithoutLargest } from '../domain/largest-wins.ts'
import type { Interval } from '../domain/statistics.ts'
import type { RowsPage } from './engine-api.ts'
import type { Scalar } from './model.ts'
import type { OwnSlot } from './own-slots.ts'

/** What can be bet on: the recorded predictions of a slice, every starter in its races, or a box of horses in each. */
export const LAB_UNIVERSES = ['kept', 'starters', 'boxes'] as const
export type LabUniverse = (typeof LAB_UNIVERSES)[number]

/** Whose order the horses of a box are taken from: that of the probabilities in use, or that of the market line. */
export const BOX_ORDERS = ['chances', 'market'] as const

/** A box of the first horses of each race. */
export interface LabBox extends Box {
  by: (typeof BOX_ORDERS)[number]
}

/** Which of the loaded bets are placed, and how much is staked on each. */
export interface LabPlan {
  rules: BetRules
  plan: StakePlan
  /** The user's own probabilities instead of the predicted ones; needs the vectors. */
  own: OwnMix | null
  /** What is bet on in each race, where boxes are; `null` where the loaded rows are the bets. */
  box: LabBox | null
}

/** Maximum number of bets: more could not be recomputed while a slider moves. */
export const MAX_LAB_BETS = 200_000

/** Describes the loaded bets, so that the page offers only options they support. */
export interface LabBets {
  bets: number
  /** Number of bets with known opening odds. */
  opened: number
  /** Number of bets whose odds two minutes before post time are known. */
  late: number
  /** Whether every bet is a win bet. */
  winOnly: boolean
}

/** The first choice of the market line, and every starter alike. */
export const BENCHMARKS = ['favourite', 'random'] as const
export type Benchmark = (typeof BENCHMARKS)[number]
/** What is loaded of a benchmark in each race. */
export const BENCHMARK_FIGURES = ['return', 'return_worst', 'return_best', 'hits', 'unknown_hits'] as const

/** A benchmark for a plan: the same stakes on other horses. Amounts are cents. */
export interface LabStandard {
  /** With bounds: what is staked at worst, which is the most. */
  staked: number
  profit: number
  /**
   * The lowest and highest profit and return possible, where too many of its winners have no dividend for a single one;
   * no return without a stake at either end.
   */
  bounds?: { profit: Interval; returned: Interval | null }
}

/**
 * Bounds of figures with unknown dividends: the plan was run again, with winners of unknown dividend getting their stake
 * back and the other unknown bets lost, and with winners paid the fair price and the others left out.
 */
export interface LabBounds {
  profit: Interval
  /** `null` without a stake. */
  returned: Interval | null
  /** Depth of the drawdown. */
  drawdown: Interval
  losingRun: Interval
  worstMonth: { month: string; profit: Interval } | null
}

export interface LabStop {
  /** Day of the last stake; `null` if nothing was ever staked. */
  day: string | null
  /** What was left of the bankroll; `null` if it is unlimited. */
  left: number | null
  /** Later bets that were rounded down to nothing. */
  later: number
  /** Whether what was left stakes nothing on any of the chosen bets, so that betting can never resume. */
  final: boolean
}

/** Paths of resampled meetings. */
export interface LabFan {
  /** Number of meetings before each point. */
  at: number[]
  /** Cumulative profit in cents: for each of `FAN_SHARES` a value for each of `at`. */
  lines: number[][]
  courses: number
  /**
   * Chances of losing 50, 80 and 95% of the initial bankroll, of being unable to stake at the end, and of ever doubling
   * the bankroll; both ends are equal where the dividends are known. `null` without a bankroll.
   */
  chances: { falls: Interval[]; stopped: Interval; doubled: Interval } | null
}

/** What a plan staked and won. Amounts are cents. */
export interface LabFigures extends Omit<StakedGroup, 'bounds'> {
  races: number
  /** Lowest and highest figures possible given the unknown dividends; `null` where all are known. */
  bounds: LabBounds | null
  drawdown: Drawdown
  losingRun: number
  worstMonth: { month: string; profit: number } | null
  /** Cumulative profit after each meeting with a bet. */
  curve: { days: string[]; profits: number[] }
}

/** The result of a plan. Amounts are cents. */
export interface LabResult extends LabFigures {
  /** Sequence number of the run in its worker. */
  number: number
  /**
   * Chosen bets without a stake: those that the rule stakes nothing on, and those rounded down to nothing. This and
   * `stopped` are of the worst course unless `certain`.
   */
  unstaked: { unwanted: number; rounded: number }
  /** When and why betting stopped; `null` if no bet of a later meeting was rounded down to nothing. */
  stopped: LabStop | null
  sizes: { upTo: number; bets: number }[]
  /** The result without its largest wins; `null` with few wins, and where the profit has only bounds. */
  withoutLargest: WithoutLargest | null
  /** Races with the user's own probabilities, among all races of the bets; `null` where they are as predicted. */
  ownRaces: { own: number; all: number } | null
  /**
   * The same stakes of each race on its favourite, and spread over all its starters;
   * `null` until those are loaded.
   */
  favourite: LabStandard | null
  random: LabStandard | null
  /** Of boxes; `null` where the bets are single ones. */
  boxes: LabBoxes | null
  /** Of stakes by a column of the reader's own: the chosen bets without a stake by what the column has; `null`: other stakes. */
  column: { missing: number; negative: number; zero: number } | null
  milliseconds: number
}

/** What boxes were made of. */
export interface LabBoxes {
  /** Combinations in the boxes that were placed, without refunded ones. */
  combinations: number
  /**
   * How many of them won, and how many were expected to by the probabilities in use; without boxes of which a part was
   * refunded.
   */
  winners: number
  expected: number
  /** Races that allow no such box: fewer horses, or no chance, place or market line of one of them. */
  without: number
}

/** Another plan over the same races, beside that of the last run. */
export interface LabComparison {
  other: LabFigures
  /** Bets that both plans made, of known profit; of boxes, races in which both made one. */
  common: number
  /**
   * By how much the profit of the last run is higher, in cents, and its return with the 95% interval by meeting of the
   * difference; both ends of what is possible where a plan has only bounds. No return where one of them staked nothing.
   */
  difference: { profit: Interval; returned: { value: Interval; interval: Interval | null } | null }
}

/** How the user's own probabilities are derived. */
export interface OwnMix extends Pick<ChanceMix, 'share' | 'order'> {
  /** Win probabilities that the user stored on race pages. */
  saved: readonly { raceId: string; number: number; chance: number }[]
}

/** One bet that was placed. */
export interface LabBet {
  /** Its number among the rows that were loaded, from 0. */
  at: number
  raceId: string
  day: string
  raceNo: number
  betType: number
  /** Saddle numbers, `3-7`; a box as `boxText` writes it. */
  combination: string
  /** How many combinations it is, 1 but for boxes. */
  combinations: number
  /** Of a box: the number of its combinations that are expected to win. */
  probability: number
  odds: number | null
  stake: number
  outcome: 'hit' | 'miss' | 'void'
  /** `null` if unknown. */
  profit: number | null
}

/** Sort orders of the table of bets. */
export const LAB_ORDERS = ['newest', 'oldest', 'best', 'worst'] as const
export type LabOrder = (typeof LAB_ORDERS)[number]

/** Whose values a dimension has: those of the rows that were loaded, or of the horses of their races. */
export type ValuesOf = 'rows' | 'horses'

/** A value of a dimension with its names, as cells of a result. */
export type LabValue = Readonly<Record<string, Scalar | null>>

/** The bets of one value of a dimension. */
export interface LabGroup extends StakedGroup {
  value: LabValue
}

/**
 * The API of the strategy lab's worker. Rows arrive in pages, ordered by day, meeting and race; of boxes one row a race with its
 * dividends, and every starter's probability and place as a vector.
 */
export interface LabApi {
  begin(universe: LabUniverse): Promise<void>
  /** Adds rows and returns the total; `null` if there are too many, and then none of the page is added. */
  add(page: RowsPage): Promise<number | null>
  ready(): Promise<LabBets>
  /** Loads the returns of the favourite and of chance by race: `key` is a meeting, `key2` a race number. */
  standards(page: RowsPage): Promise<void>
  /** Begins to load every starter's probabilities of the region's races: those loaded before are dropped. */
  beginVectors(): Promise<void>
  /** Adds starters' probabilities; returns how many rows there were. */
  addVectors(page: RowsPage): Promise<number>
  /** Begins to load the reader's own numbers of a column for every loaded row. */
  beginAmounts(column: OwnSlot): Promise<void>
  /** Adds rows with `race_id` and the column's number, in the order of the rows. Throws `busy` if they are of other races. */
  addAmounts(column: OwnSlot, page: RowsPage): Promise<number>
  /** Stakes by a column need its numbers. */
  run(
    of: LabPlan,
    /** Told every tenth of a second how many races have their chances, while boxes or own probabilities are derived. */
    onProgress?: (done: number, all: number) => void,
  ): Promise<LabResult>
  /** Another plan over the same bets; needs a run before it. */
  compare(of: LabPlan): Promise<LabComparison>
  /** Resampled paths of a plan; `null` if a newer run superseded it. */
  fan(of: LabPlan): Promise<LabFan | null>
  /** Begins to load the values of a dimension; `bins`: lower edges of bands, `null`: each value by itself. */
  beginValues(dim: string, of: ValuesOf, bins: readonly number[] | null): Promise<void>
  /**
   * Adds rows with `race_id`, the dimension and its names, and `horse_no` for those of horses; returns how many there were.
   * Those of rows are in the order of the rows. Throws `busy` if they are of other races.
   */
  addValues(page: RowsPage): Promise<number>
  /** The bets of the last run by that dimension; a combination counts once for each of its horses. */
  groups(): Promise<LabGroup[]>
  /** A page of the bets of the last run, restricted to `month` unless that is `null`. */
  bets(
    order: LabOrder,
    month: string | null,
    offset: number,
    limit: number,
  ): Promise<{ total: number; bets: LabBet[] }>
}
