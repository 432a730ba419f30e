/** Outcome of a bet on a settled race, as a number. */
export const MISS = 0
export const HIT = 1
export const VOID = 2

/**
 * Candidate bets in columns, ordered by race. NaN: unknown. A meeting is a racecourse on a day; races of a
 * meeting are consecutive, as are the bets of a race.
 */
export interface BetTable {
  size: number
  /** Index of each race's first bet, and `size` at the end. */
  races: Int32Array
  /** Index of each meeting's first race, and the number of races at the end. */
  meetings: Int32Array
  /** Day of each meeting, `yyyy-mm-dd`. */
  days: readonly string[]
  probability: Float64Array
  /** Probability according to the market line. */
  market: Float64Array
  /** Final and first recorded odds of a win bet, decimal. */
  finalOdds: Float64Array
  openingOdds: Float64Array
  /** Odds two minutes before post time where they were recorded, else the final ones. */
  lateOdds: Float64Array
  /** Rank among the bets of its race and type; 1 is the most probable. */
  rank: Float64Array
  /** `MISS`, `HIT` or `VOID`. */
  outcome: Uint8Array
  /** Profit in cents for a stake of HK$10. */
  profit: Float64Array
  /** Whether it is a win bet; at most one per race wins, except in a dead heat. */
  win: Uint8Array
  /** The reader's own number for each bet, where stakes are by it; NaN: none. */
  amounts?: Float64Array
  /** Of boxes: what each has beside a single bet. Its stake is spread evenly over its combinations. */
  boxes?: BoxColumns
}

/**
 * Columns of boxes, one a race. Their `probability` is the number of combinations that are expected to win, and their `profit`
 * and the bounds are cents for HK$10 on each combination.
 */
export interface BoxColumns {
  /** Combinations that each has; 0 where a race allows no such box, and none is chosen. */
  combinations: Float64Array
  /** Those that were not refunded. */
  live: Float64Array
  /** Those that won. */
  winners: Float64Array
  /** Profit if winners without a dividend are paid their stake, and if they are paid their fair price. */
  worst: Float64Array
  best: Float64Array
}

/** Final odds, the first ones seen, or those two minutes before post time where they were recorded. */
export const BETTING_ODDS = ['late', 'final', 'opening'] as const
type BettingOdds = (typeof BETTING_ODDS)[number]

/** Selects the bets to place. `null`: no restriction. */
export interface BetRules {
  /** The odds for selecting and staking a bet; final ones are not known when it is placed. */
  odds: BettingOdds
  /** Probability × odds. */
  minValue: number | null
  maxValue: number | null
  minProbability: number | null
  maxProbability: number | null
  minOdds: number | null
  maxOdds: number | null
  maxRank: number | null
  /** Probability minus that of the market line: 0.05 is five percentage points. */
  minEdge: number | null
  /**
   * Maximum number of bets per race: the best by value if all their odds are known, otherwise by probability.
   */
  perRace: number | null
  /** Maximum number of bets per meeting: the first in race order. */
  perMeeting: number | null
}

export const ANY_BET: BetRules = {
  odds: 'late',
  minValue: null,
  maxValue: null,
  minProbability: null,
  maxProbability: null,
  minOdds: null,
  maxOdds: null,
  maxRank: null,
  minEdge: null,
  perRace: null,
  perMeeting: null,
}

/** The odds that bets are selected by. */
export const oddsOf = (bets: BetTable, { odds }: Pick<BetRules, 'odds'>): Float64Array =>
  odds === 'late' ? bets.lateOdds : odds === 'final' ? bets.finalOdds : bets.openingOdds

/**
 * Selects bets by the rules: 1 for each selected one. A rule on odds never selects a bet with unknown odds.
 */
export function chooseBets(bets: BetTable, rules: BetRules): Uint8Array {
  const chosen = new Uint8Array(bets.size)
  const odds = oddsOf(bets, rules)
  const between = (value: number, low: number | null, high: number | null): boolean =>
    (low === null || value >= low) && (high === null || value <= high)
  for (let bet = 0; bet < bets.size; bet += 1) {
    const probability = bets.probability[bet]!
    if (
      bets.boxes?.combinations[bet] !== 0 &&
      between(probability * odds[bet]!, rules.minValue, rules.maxValue) &&
      between(probability, rules.minProbability, rules.maxProbability) &&
      between(odds[bet]!, rules.minOdds, rules.maxOdds) &&
      between(bets.rank[bet]!, null, rules.maxRank) &&
      between(probability - bets.market[bet]!, rules.minEdge, null)
    )
      chosen[bet] = 1
  }
  if (rules.perRace !== null) keepBest(bets, odds, chosen, rules.perRace)
  if (rules.perMeeting !== null) keepFirst(bets, chosen, rules.perMeeting)
  return chosen
}

function keepBest(bets: BetTable, odds: Float64Array, chosen: Uint8Array, most: number): void {
  for (let race = 0; race + 1 < bets.races.length; race += 1) {
    const own: number[] = []
    for (let bet = bets.races[race]!; bet < bets.races[race + 1]!; bet += 1) if (chosen[bet]) own.push(bet)
    if (own.length <= most) continue
    const priced = own.every((bet) => odds[bet]! > 0)
    const worth = (bet: number): number => bets.probability[bet]! * (priced ? odds[bet]! : 1)
    for (const bet of own.toSorted((a, b) => worth(b) - worth(a)).slice(most)) chosen[bet] = 0
  }
}

function keepFirst(bets: BetTable, chosen: Uint8Array, most: number): void {
  for (let meeting = 0; meeting + 1 < bets.meetings.length; meeting += 1) {
    let left = most
    const end = bets.races[bets.meetings[meeting + 1]!]!
    for (let bet = bets.races[bets.meetings[meeting]!]!; bet < end; bet += 1) {
      if (!chosen[bet]) continue
      if (left > 0) left -= 1
      else chosen[bet] = 0
    }
  }
}
