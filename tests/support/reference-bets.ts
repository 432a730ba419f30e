import type { Scalar } from '../../analytics/model.ts'
import { groupBy } from '../../domain/group-by.ts'

/**
 * A second implementation of the measures over each single bet: PostgreSQL lists the bets of a group in the order in which they
 * were settled, and plain functions walk through them one by one.
 */

/** A bet that was not void: its profit in cents, if it is known, and its chance by the market, or else by the model. */
type Bet = readonly [isHit: boolean, profit: number | null, chance: number, meeting: string]

/** The bets of a group, as PostgreSQL lists them from rows `p`. `order`: of the bets of one race. */
export const betsSql = (order: string, condition = 'true'): string =>
  `json_agg(json_build_array(p.outcome = 'hit', p.profit_cents, coalesce(p.market, p.probability),
      p.race_date || ' ' || p.stadium_key) order by p.race_date, p.stadium_key, p.race_no, ${order})
    filter (where p.outcome <> 'void' and ${condition})`
/** The name of that column. */
export const BET_LIST = 'bets'

const largest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0)
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)

/** The longest run of bets without a hit. */
function longestRun(bets: readonly Bet[]): number {
  let run = 0
  return largest(bets.map(([isHit]) => (run = isHit ? 0 : run + 1)))
}

/** The largest fall of the profit from a peak; `profitOf` as an assumption has it. */
function largestFall(bets: readonly Bet[], profitOf: (bet: Bet) => number): number {
  let [balance, peak] = [0, 0]
  return largest(
    bets.map((bet) => {
      balance += profitOf(bet)
      peak = Math.max(peak, balance)
      return peak - balance
    }),
  )
}

/** Profits of known bets, each as a bet of HK$10. */
const known = (bets: readonly Bet[]): number[] =>
  bets.flatMap(([, profit]) => (profit === null ? [] : [profit]))

/** The return without the largest wins; unknown without a win beyond those. */
function trimmed(bets: readonly Bet[], wins: number): number | null {
  const profits = known(bets).toSorted((a, b) => b - a)
  if (!(profits[wins]! > 0)) return null
  const left = profits.slice(wins)
  return sum(left) / (1000 * left.length)
}

/** The profit of each meeting that has a bet of known profit. */
const meetings = (bets: readonly Bet[]): number[] =>
  [
    ...groupBy(
      bets.filter(([, profit]) => profit !== null),
      ([, , , meeting]) => meeting,
    ).values(),
  ].map((ofMeeting) => sum(known(ofMeeting)))

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sum(values) / values.length
function deviation(values: readonly number[]): number | null {
  if (values.length < 2) return null
  const middle = mean(values)!
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1))
}

const TRIMMED = {
  return_trimmed_1: 1,
  return_trimmed_3: 3,
  return_trimmed: 5,
  return_trimmed_10: 10,
  return_trimmed_20: 20,
}

/** Measures over each single bet, walked through. */
export const BET_REFERENCE_MEASURES: Readonly<Record<string, (bets: readonly Bet[]) => number | null>> = {
  losing_run: longestRun,
  // Misses of unknown profit could perhaps not be placed.
  losing_run_best: (bets) => longestRun(bets.filter(([isHit, profit]) => isHit || profit !== null)),
  drawdown: (bets) => largestFall(bets, ([, profit]) => profit ?? 0),
  drawdown_worst: (bets) => largestFall(bets, ([isHit, profit]) => profit ?? (isHit ? 0 : -1000)),
  drawdown_best: (bets) =>
    largestFall(bets, ([isHit, profit, chance]) => profit ?? (isHit ? 1000 / chance - 1000 : 0)),
  meeting_profit: (bets) => mean(meetings(bets)),
  meeting_deviation: (bets) => deviation(meetings(bets)),
  ...Object.fromEntries(
    Object.entries(TRIMMED).map(([name, wins]) => [name, (bets: readonly Bet[]) => trimmed(bets, wins)]),
  ),
}

export const isOfBets = (measure: string): boolean => Object.hasOwn(BET_REFERENCE_MEASURES, measure)

/** The measures of a question as columns of PostgreSQL: those over each single bet need the bets. */
export const referenceColumns = (measures: readonly string[]): string[] => {
  const summed = measures.filter((name) => !isOfBets(name))
  return summed.length === measures.length ? summed : [...summed, BET_LIST]
}

/** A measure over each single bet of a row that PostgreSQL answered. */
export const ofBets = (row: Readonly<Record<string, Scalar | null>>, measure: string): number | null =>
  BET_REFERENCE_MEASURES[measure]!((row[BET_LIST] ?? []) as unknown as readonly Bet[])
