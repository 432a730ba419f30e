import type { BetRules } from '../domain/bet-table.ts'
import type { Drawdown, Fan } from '../domain/staking-summary.ts'
import type { StakePlan } from '../domain/staking.ts'
import type { RowsPage } from './engine-api.ts'

/** What can be bet on: the kept predictions of a slice, or every starter of its races. */
export const LAB_UNIVERSES = ['kept', 'starters'] as const
export type LabUniverse = (typeof LAB_UNIVERSES)[number]

/** More bets than this are refused: they would not be staked while a slider moves. */
export const MAX_LAB_BETS = 200_000

/** What the loaded bets are, so that the page offers only what they know. */
export interface LabBets {
  bets: number
  /** Bets of known opening odds. */
  opened: number
  /** Every bet is a win bet. */
  winOnly: boolean
}

/** A plan beside the same stakes on something else. */
export interface LabStandard {
  staked: number
  profit: number
}

/** What a plan came to. Amounts are cents. */
export interface LabResult {
  /** Counts the runs of a worker. */
  number: number
  bets: number
  races: number
  hits: number
  unknown: number
  /** One profit and return can be told: not so many winners of unknown dividend that only their bounds can. */
  told: boolean
  staked: number
  profit: number
  /** Return with its 95% interval by meeting and its standard error; `null` without a stake. */
  returned: { ratio: number; standardError: number | null; low: number | null; high: number | null } | null
  /** Lowest and highest profit that unknown dividends leave possible; `null` where all are known. */
  bounds: { low: number; high: number } | null
  drawdown: Drawdown
  losingRun: number
  worstMonth: { month: string; profit: number } | null
  /** Day on which less than a unit was left; `null`: never, or no bankroll. */
  ruined: string | null
  /** Profit to date after each meeting with a bet. */
  curve: { days: string[]; profits: number[] }
  sizes: { upTo: number; bets: number }[]
  /** The same stakes of each race on its favourite, and spread over all its starters; `null` until they are loaded. */
  favourite: LabStandard | null
  chance: LabStandard | null
  milliseconds: number
}

/** One bet that was made. */
export interface LabBet {
  raceId: string
  day: string
  raceNo: number
  betType: number
  combination: string
  probability: number
  odds: number | null
  stake: number
  outcome: 'hit' | 'miss' | 'void'
  /** `null`: unknown. */
  profit: number | null
}

/** Orders of the table of bets. */
export const LAB_ORDERS = ['newest', 'oldest', 'best', 'worst'] as const
export type LabOrder = (typeof LAB_ORDERS)[number]

/** The strategy lab in its worker. Rows come in pages, in the order of their days, meetings and races. */
export interface LabApi {
  begin(universe: LabUniverse): Promise<void>
  /** Adds rows and answers how many there are; `null`: too many, and none of the page was added. */
  add(page: RowsPage): Promise<number | null>
  ready(): Promise<LabBets>
  /** Returns of the favourite and of chance by race: `key` a meeting, `key2` a race number. */
  standards(page: RowsPage): Promise<void>
  run(rules: BetRules, plan: StakePlan): Promise<LabResult>
  /** Resampled courses of a plan; `null` where another run came meanwhile. */
  fan(rules: BetRules, plan: StakePlan, courses: number): Promise<Fan | null>
  /** A page of the bets that the last run made; of one month alone where it is named. */
  bets(
    order: LabOrder,
    month: string | null,
    offset: number,
    limit: number,
  ): Promise<{ total: number; bets: LabBet[] }>
}
