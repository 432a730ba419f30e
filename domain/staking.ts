import { HIT, VOID, oddsOf, type BetRules, type BetTable, type BoxColumns } from './bet-table.ts'
import { kellyShares } from './kelly.ts'
import { STAKE_CENTS } from './money.ts'

/** How much to stake on each bet that the rules select. Amounts are cents. */
export type StakeRule =
  /** The same on each bet, and on each combination of a box. */
  | { kind: 'level'; stake: number }
  /** A share of the bankroll before the race. */
  | { kind: 'share'; share: number }
  /** The stake that wins a fixed profit at the odds that the bet is selected by. */
  | { kind: 'target'; win: number }
  /** A fraction of the Kelly stake; win bets of one race are solved together. */
  | { kind: 'kelly'; fraction: number }
  /**
   * So many cents for each unit of the reader's own number, which is that of a column (`BetTable.amounts`); nothing where it is
   * missing or not above 0.
   */
  | { kind: 'column'; column: string; each: number }

export interface StakePlan {
  rule: StakeRule
  /** Initial cents; `null`: unlimited. Shares and Kelly need one. */
  bankroll: number | null
  /** Maximum cents on a bet, and on a race. */
  maxBet: number | null
  maxRace: number | null
  /** Maximum share of the bankroll on a race. */
  maxShare: number | null
  /** Stakes are rounded down to whole units, those of boxes to whole units on each combination; cents. */
  unit: number
  /** Parts per 10,000 deducted from a win's profit, and returned of a lost stake. */
  commission: number
  rebate: number
  /** Cents: the stake from which a lost bet has the rebate; 0: every lost bet has it. */
  rebateFrom: number
  /**
   * Cents in each win pool, to which own stakes are added and reduce the dividend; `null`:
   * stakes have no effect on it.
   */
  pool: number | null
  /** Share of the win pool that is not paid back. */
  takeout: number
}

export const LEVEL_TEN = {
  rule: { kind: 'level', stake: STAKE_CENTS },
  bankroll: null,
  maxBet: null,
  maxRace: null,
  maxShare: null,
  unit: STAKE_CENTS,
  commission: 0,
  rebate: 0,
  rebateFrom: 0,
  pool: null,
  takeout: 0.175,
} satisfies StakePlan

/**
 * How to treat bets of unknown dividend: excluded; or winners get their stake back and the others lose; or
 * winners are paid the fair price of the market line and the others are excluded.
 */
export type UnknownBets = 'out' | 'worst' | 'best'

export type StakedRun = ReturnType<typeof newRun>

interface RunOptions {
  unknown?: UnknownBets
  /** Meetings in the order in which they are staked; repetitions are allowed. By default each once. */
  order?: ArrayLike<number>
  /** Record each bet's stake and profit. */
  detail?: boolean
  /** `kellyTable` of the same bets and rules, if several runs share it. */
  kelly?: Float64Array
}

/**
 * Full Kelly share of the bankroll for each bet, the selected win bets of one race solved together; 0 for all others. It
 * does not depend on the bankroll, so every run over the same selection can share it.
 */
export function kellyTable(bets: BetTable, chosen: Uint8Array, rules: Pick<BetRules, 'odds'>): Float64Array {
  const odds = oddsOf(bets, rules)
  const table = new Float64Array(bets.size)
  const taken: number[] = []
  const probabilities: number[] = []
  const prices: number[] = []
  for (let race = 0; race + 1 < bets.races.length; race += 1) {
    taken.length = 0
    probabilities.length = 0
    prices.length = 0
    for (let bet = bets.races[race]!; bet < bets.races[race + 1]!; bet += 1) {
      if (!chosen[bet] || !bets.win[bet]) continue
      taken.push(bet)
      probabilities.push(bets.probability[bet]!)
      prices.push(odds[bet]!)
    }
    if (taken.length === 0) continue
    const shares = kellyShares(probabilities, prices)
    for (let at = 0; at < taken.length; at += 1) table[taken[at]!] = shares[at]!
  }
  return table
}

/**
 * Stakes the selected bets of a table race by race and settles them by their official dividends. Stakes of a
 * race are fixed before it, from the bankroll left by the previous races. All amounts are whole cents.
 */
export function runStakes(
  bets: BetTable,
  chosen: Uint8Array,
  rules: Pick<BetRules, 'odds'>,
  plan: StakePlan,
  { unknown = 'out', order, detail = false, kelly: shared }: RunOptions = {},
): StakedRun {
  const odds = oddsOf(bets, rules)
  const numbers = plan.rule.kind === 'kelly' ? (shared ?? kellyTable(bets, chosen, rules)) : amountsOf(bets)
  const size = order?.length ?? bets.days.length
  const run = newRun(size, detail ? bets.size : null)
  const staking: Staking = { bets, chosen, odds, numbers, plan, unknown, detail, run }
  const stakes: number[] = []
  for (let place = 0; place < size; place += 1) {
    const meeting = order ? order[place]! : place
    for (let race = bets.meetings[meeting]!; race < bets.meetings[meeting + 1]!; race += 1) {
      const first = bets.races[race]!
      const end = bets.races[race + 1]!
      if (stakeRace(staking, place, first, end, stakes) !== 0) settleRace(staking, place, first, end, stakes)
    }
  }
  return run
}

/**
 * Whether a plan would stake anything on some race of the selected bets if that race came now, with `left` cents of the
 * bankroll. Where it would not, the bankroll never changes again: the plan can no longer stake.
 */
export function canStake(
  bets: BetTable,
  chosen: Uint8Array,
  rules: Pick<BetRules, 'odds'>,
  plan: StakePlan,
  left: number,
  kelly: Float64Array | null,
): boolean {
  if (left < plan.unit) return false
  const odds = oddsOf(bets, rules)
  const numbers = kelly ?? amountsOf(bets)
  const stakes: number[] = []
  for (let race = 0; race + 1 < bets.races.length; race += 1) {
    const [first, end] = [bets.races[race]!, bets.races[race + 1]!]
    if (wantedStakes({ bets, chosen, odds, numbers, plan }, first, end, left, stakes).wanted === 0) continue
    if (limitStakes(bets, plan, left, first, stakes) > 0) return true
  }
  return false
}

const amountsOf = ({ amounts }: BetTable): Float64Array | null => amounts ?? null

/** What every step of a run needs; `odds` are those that bets are selected and staked by. */
interface Staking {
  bets: BetTable
  chosen: Uint8Array
  odds: Float64Array
  /** The number of each bet that the rule goes by: full Kelly shares, or the reader's own. */
  numbers: Float64Array | null
  plan: StakePlan
  unknown: UnknownBets
  /** Whether to count the bets without a stake. */
  detail: boolean
  run: StakedRun
}

/** The bankroll after a cumulative profit, at least 0; infinite without a bankroll. Cents. */
export const bankrollAfter = ({ bankroll }: StakePlan, profit: number): number =>
  bankroll === null ? Number.POSITIVE_INFINITY : Math.max(0, bankroll + profit)

/** An empty run over `size` meetings; `details`: the number of bets whose stake and profit are recorded, if any. */
const newRun = (size: number, details: number | null) => ({
  /** Bets that were placed and settled with a known or assumed profit, and their races. */
  bets: 0,
  races: 0,
  hits: 0,
  /** Bets that were placed but excluded because their dividend is unknown. */
  unknown: 0,
  /** Those of them that hit: their exclusion removes winners only from the profit. */
  unknownHits: 0,
  staked: 0,
  profit: 0,
  /** Totals of each meeting in `order`, in cents. */
  stakedAt: new Float64Array(size),
  profitAt: new Float64Array(size),
  /** Minimum and maximum of the cumulative profit, after any race. */
  lowest: 0,
  highest: 0,
  /**
   * Selected bets without a stake, counted if `detail` was set: those on which the rule stakes nothing (Kelly finds no
   * advantage, or the odds are unknown), and those whose stakes were rounded down to nothing.
   */
  unwanted: 0,
  rounded: 0,
  /** Index in the order of the last meeting with a stake, if `detail` was set; `null` if nothing was staked. */
  lastAt: null as number | null,
  /** Bets of later meetings that were rounded down to nothing, if `detail` was set. */
  roundedLater: 0,
  /**
   * Stake and profit of each bet of the table, if `detail` was set. The stake of a bet that could not be placed is 0, the
   * profit of an excluded one NaN.
   */
  stakes: details === null ? null : new Float64Array(details),
  profits: details === null ? null : new Float64Array(details),
})

/** Fills `stakes` with the stake of each bet of a race, and returns their sum. */
function stakeRace(staking: Staking, place: number, first: number, end: number, stakes: number[]): number {
  const { bets, plan, run, detail } = staking
  const left = bankrollAfter(plan, run.profit)
  if (left < plan.unit && !detail) return 0
  const { selected, wanted } = wantedStakes(staking, first, end, left, stakes)
  if (selected === 0) return 0
  const total = limitStakes(bets, plan, left, first, stakes)
  if (detail) countUnstaked(run, place, { selected, wanted, stakes })
  return total
}

/** Fills `stakes` with those of the rule before any limit; the numbers of selected bets, and of those it stakes on. */
function wantedStakes(
  { bets, chosen, odds, numbers, plan }: Pick<Staking, 'bets' | 'chosen' | 'odds' | 'numbers' | 'plan'>,
  first: number,
  end: number,
  left: number,
  stakes: number[],
): { selected: number; wanted: number } {
  stakes.length = end - first
  stakes.fill(0)
  let [selected, wanted] = [0, 0]
  for (let bet = first; bet < end; bet += 1) {
    if (!chosen[bet]) continue
    selected += 1
    const number = numbers?.[bet] ?? 0
    const combinations = combinationsIn(bets, bet)
    const stake = stakeByRule(plan.rule, odds[bet]!, number, combinations, left)
    // A bankroll of nothing is too small for a bet that the rule would stake a share on.
    if (stake > 0 || (left === 0 && stakeByRule(plan.rule, odds[bet]!, number, combinations, 1) > 0))
      wanted += 1
    stakes[bet - first] = stake
  }
  return { selected, wanted }
}

/** Counts the selected bets of a race that got no stake, and follows when the last stake was. */
function countUnstaked(
  run: StakedRun,
  place: number,
  { selected, wanted, stakes }: { selected: number; wanted: number; stakes: readonly number[] },
): void {
  let placed = 0
  for (const stake of stakes) if (stake > 0) placed += 1
  run.unwanted += selected - wanted
  run.rounded += wanted - placed
  if (placed > 0) {
    run.lastAt = place
    run.roundedLater = 0
  } else if (place !== run.lastAt) run.roundedLater += wanted
}

/** How many combinations a bet's stake is spread over. */
const combinationsIn = ({ boxes }: BetTable, bet: number): number => boxes?.combinations[bet] ?? 1

/** The stake on a selected bet before any limit. */
function stakeByRule(
  rule: StakeRule,
  odds: number,
  number: number,
  combinations: number,
  left: number,
): number {
  switch (rule.kind) {
    case 'level':
      return rule.stake * combinations
    case 'share':
      return rule.share * left
    case 'target':
      return odds > 1 ? rule.win / (odds - 1) : 0
    case 'kelly':
      return number * rule.fraction * left
    case 'column':
      return number > 0 ? number * rule.each : 0
  }
}

/**
 * Applies the plan's limits to the stakes of a race's bets from `first` on, rounds them down to whole units, and returns their
 * sum.
 */
function limitStakes(bets: BetTable, plan: StakePlan, left: number, first: number, stakes: number[]): number {
  let total = 0
  for (let at = 0; at < stakes.length; at += 1) {
    if (plan.maxBet !== null && stakes[at]! > plan.maxBet) stakes[at] = plan.maxBet
    total += stakes[at]!
  }
  const most = Math.min(
    left,
    plan.maxRace ?? Number.POSITIVE_INFINITY,
    plan.maxShare === null ? Number.POSITIVE_INFINITY : plan.maxShare * left,
  )
  // Above the limit for one race, all its stakes are reduced proportionally.
  const scale = total > most ? most / total : 1
  total = 0
  for (let at = 0; at < stakes.length; at += 1) {
    const unit = plan.unit * combinationsIn(bets, first + at)
    // Tolerance for rounding: a stake just below a whole unit counts as that unit.
    stakes[at] = unit === 0 ? 0 : Math.floor((stakes[at]! * scale) / unit + 1e-9) * unit
    total += stakes[at]!
  }
  return total
}

/** Settles the staked bets of a race, and follows the extremes of the cumulative profit. */
function settleRace(
  staking: Staking,
  place: number,
  first: number,
  end: number,
  stakes: readonly number[],
): void {
  const { bets, run } = staking
  const before = run.bets
  let inPool = 0
  for (let bet = first; bet < end; bet += 1)
    if (bets.win[bet] && bets.outcome[bet] !== VOID) inPool += stakes[bet - first]!
  for (let bet = first; bet < end; bet += 1) {
    const stake = stakes[bet - first]!
    if (stake > 0) settle(staking, place, bet, stake, inPool)
  }
  if (run.bets > before) run.races += 1
  if (run.profit < run.lowest) run.lowest = run.profit
  if (run.profit > run.highest) run.highest = run.profit
}

function settle(
  { bets, plan, unknown, run }: Staking,
  place: number,
  bet: number,
  placed: number,
  inPool: number,
): void {
  const outcome = bets.outcome[bet]!
  // What is refunded of a box is returned, as if it had not been placed.
  const stake = outcome === VOID || !bets.boxes ? placed : liveStake(bets.boxes, bet, placed)
  if (run.stakes) run.stakes[bet] = stake
  // A void bet's stake is returned, as if no bet had been placed.
  if (outcome === VOID) return
  const hit = outcome === HIT
  const isKnown = !Number.isNaN(bets.profit[bet]!)
  if (!isKnown && (unknown === 'out' || (unknown === 'best' && !hit))) {
    exclude(run, bet, hit, unknown)
    return
  }
  const gross = isKnown
    ? knownProfit(bets, plan, bet, placed, inPool)
    : assumedProfit(bets, bet, placed, unknown)
  const profit = gross - Math.round((gross * partOf(plan, gross, stake)) / 10_000)
  if (run.profits) run.profits[bet] = profit
  run.bets += 1
  if (hit) run.hits += 1
  run.staked += stake
  run.profit += profit
  run.stakedAt[place]! += stake
  run.profitAt[place]! += profit
}

/** Profit of a bet of unknown dividend by an assumption about it. */
function assumedProfit(bets: BetTable, bet: number, stake: number, unknown: UnknownBets): number {
  const isBest = unknown === 'best'
  if (bets.boxes) return ofCombinations(bets, bet, stake, (isBest ? bets.boxes.best : bets.boxes.worst)[bet]!)
  if (isBest) return Math.round(stake * (1 / fairOf(bets, bet) - 1))
  return bets.outcome[bet] === HIT ? 0 : -stake
}

/** The part of a box's stake that is on combinations that were not refunded. */
const liveStake = ({ combinations, live }: BoxColumns, bet: number, placed: number): number =>
  (placed * live[bet]!) / combinations[bet]!

/** A profit for HK$10 on each combination as one for a stake spread over them. */
const ofCombinations = (bets: BetTable, bet: number, placed: number, profit: number): number =>
  // Integers are multiplied before the division, so that halves of a cent are exact.
  Math.round((placed * profit) / (STAKE_CENTS * combinationsIn(bets, bet)))

/** The part of a bet's profit or loss that is deducted or returned, in parts per 10,000. */
const partOf = ({ commission, rebate, rebateFrom }: StakePlan, gross: number, stake: number): number =>
  gross > 0 ? commission : stake >= rebateFrom ? rebate : 0

/** Leaves a bet of unknown dividend out of the sums; at best one that lost was not placed at all. */
function exclude(run: StakedRun, bet: number, hit: boolean, unknown: UnknownBets): void {
  run.unknown += 1
  if (hit) run.unknownHits += 1
  if (run.profits) run.profits[bet] = Number.NaN
  if (run.stakes && unknown === 'best') run.stakes[bet] = 0
}

/** Profit in cents of a bet with a known dividend, before commission and rebate. */
function knownProfit(bets: BetTable, plan: StakePlan, bet: number, stake: number, inPool: number): number {
  const known = bets.profit[bet]!
  if (plan.pool !== null && bets.win[bet] && known > -STAKE_CENTS) {
    const dividend = (1 + known / STAKE_CENTS) * ownShare(plan, bets.finalOdds[bet]!, stake, inPool)
    return Math.round(stake * Math.max(0, dividend - 1))
  }
  return ofCombinations(bets, bet, stake, known)
}

/** Probability according to the market line, or to the model if a race has no line. */
const fairOf = (bets: BetTable, bet: number): number => {
  const market = bets.market[bet]!
  return market > 0 ? market : bets.probability[bet]!
}

/**
 * The fraction of its dividend that a horse still pays when `stake` more is on it and `inPool` more in the
 * win pool: a pari-mutuel dividend is the net pool over the money on the winner. The money on the horse is
 * derived from its final odds.
 */
function ownShare({ pool, takeout }: StakePlan, finalOdds: number, stake: number, inPool: number): number {
  if (!(finalOdds > 0)) return 1
  const onHorse = ((1 - takeout) * pool!) / finalOdds
  return ((pool! + inPool) / pool!) * (onHorse / (onHorse + stake))
}
