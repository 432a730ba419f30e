import { MISS, VOID, type BetRules, type BetTable } from './bet-table.ts'
import { seededRandom } from './random.ts'
import {
  bankrollAfter,
  canStake,
  kellyTable,
  runStakes,
  type StakedRun,
  type StakePlan,
  type UnknownBets,
} from './staking.ts'
import {
  pairedDifference,
  ratioOfGroups,
  returnTrust,
  type Interval,
  type RatioOfGroups,
} from './statistics.ts'

/** How far a cumulative profit fell below its previous peak. */
export interface Drawdown {
  /** Cents. */
  depth: number
  /**
   * Day of the meeting at the peak (the first meeting if the profit only fell), and of that at the lowest
   * point; `null` if it never fell.
   */
  from: string | null
  lowest: string | null
  /** Day on which the peak was reached again; `null` if it has not been. */
  recovered: string | null
  /** How far the profit is below its peak at the end, in cents. */
  now: number
}

export function drawdownOf(days: readonly string[], profits: ArrayLike<number>): Drawdown {
  let [profit, peak, depth] = [0, 0, 0]
  let peakDay: string | null = days[0] ?? null
  const found: Drawdown = { depth: 0, from: null, lowest: null, recovered: null, now: 0 }
  for (let place = 0; place < days.length; place += 1) {
    profit += profits[place]!
    if (profit >= peak) {
      if (found.lowest !== null && found.recovered === null) found.recovered = days[place]!
      peak = profit
      peakDay = days[place]!
    } else if (peak - profit > depth) {
      depth = peak - profit
      Object.assign(found, { depth, from: peakDay, lowest: days[place]!, recovered: null })
    }
  }
  return { ...found, now: peak - profit }
}

/** The longest run of lost bets; void ones neither extend nor end a run. */
export function losingRun(bets: BetTable, stakes: ArrayLike<number>): number {
  let [run, longest] = [0, 0]
  for (let bet = 0; bet < bets.size; bet += 1) {
    if (stakes[bet] === 0 || bets.outcome[bet] === VOID) continue
    run = bets.outcome[bet] === MISS ? run + 1 : 0
    if (run > longest) longest = run
  }
  return longest
}

/** Profit in cents of each month (`yyyy-mm`) with a stake. */
export function profitByMonth(
  days: readonly string[],
  { stakedAt, profitAt: profits }: Pick<StakedRun, 'stakedAt' | 'profitAt'>,
): Map<string, number> {
  const months = new Map<string, number>()
  for (const [place, day] of days.entries()) {
    if (stakedAt[place] === 0) continue
    const month = day.slice(0, 7)
    months.set(month, (months.get(month) ?? 0) + profits[place]!)
  }
  return months
}

/** Return on stake with its 95% interval, resampling whole meetings; `null` without a stake. */
export function returnOf(run: Pick<StakedRun, 'stakedAt' | 'profitAt'>): RatioOfGroups | null {
  const groups = Array.from(run.stakedAt, (denominator, place) => ({
    numerator: run.profitAt[place]!,
    denominator,
  })).filter(({ denominator }) => denominator > 0)
  return groups.length === 0 ? null : ratioOfGroups(groups)
}

/**
 * Return of a run minus that of another over the same meetings, with its 95% interval by meeting; `null` if one of them
 * staked nothing.
 */
export function returnDifference(
  run: Pick<StakedRun, 'stakedAt' | 'profitAt'>,
  other: Pick<StakedRun, 'stakedAt' | 'profitAt'>,
): { difference: number; interval: Interval | null } | null {
  const ratioAt = ({ stakedAt, profitAt }: typeof run, place: number) => ({
    numerator: profitAt[place]!,
    denominator: stakedAt[place]!,
  })
  const meetings = Array.from(run.stakedAt, (_, place) => ({
    a: ratioAt(other, place),
    b: ratioAt(run, place),
  })).filter(({ a, b }) => a.denominator > 0 || b.denominator > 0)
  return pairedDifference(meetings)
}

/** Whether a single profit and return of a run can be stated: not where too many of its winners have no dividend. */
export const isCertain = ({
  bets,
  hits,
  unknownHits,
}: Pick<StakedRun, 'bets' | 'hits' | 'unknownHits'>): boolean =>
  returnTrust(bets, hits + unknownHits, unknownHits) !== 'incomplete'

/** The lower and the higher of two numbers. */
export const between = (a: number, b: number): Interval => ({ low: Math.min(a, b), high: Math.max(a, b) })

/**
 * Profit in cents and return under both assumptions about unknown dividends; no return without a stake. With a bankroll
 * the worse one may lead to smaller stakes, and so to the better figure.
 */
export const stakedBounds = (
  worst: Pick<StakedRun, 'profit' | 'staked'>,
  best: Pick<StakedRun, 'profit' | 'staked'>,
): { profit: Interval; returned: Interval | null } => ({
  profit: between(worst.profit, best.profit),
  returned:
    worst.staked > 0 && best.staked > 0
      ? between(worst.profit / worst.staked, best.profit / best.staked)
      : null,
})

/** Quantiles of the resampled paths that a fan's lines show. */
const FAN_SHARES = [0.05, 0.25, 0.5, 0.75, 0.95] as const

/** Shares of the initial bankroll whose loss has a chance of its own. */
const FALLS = [0.5, 0.8, 0.95] as const

const POINTS = 60

const MOST_COURSES = 400
const LEAST_COURSES = 50
/** Maximum number of bets over all paths of all fans of a plan, but for the least paths. */
const FAN_BETS = 12_000_000

/**
 * Number of paths of a fan over so many bets; `fans`: how many are simulated, each with as many paths.
 *
 * ```ts
 * fanCourses(1000, 1) // => 400
 * fanCourses(100_000, 2) // => 60
 * ```
 */
export const fanCourses = (bets: number, fans: number): number =>
  Math.min(MOST_COURSES, Math.max(LEAST_COURSES, Math.floor(FAN_BETS / Math.max(1, bets * fans))))

/**
 * Simulates how the same plan could have gone: whole meetings are drawn with replacement, as many as there
 * are, and staked in the order drawn, path after path. Seeded, so that the same bets give the same fan.
 */
export function fanRun(
  bets: BetTable,
  chosen: Uint8Array,
  rules: Pick<BetRules, 'odds'>,
  plan: StakePlan,
  unknown: UnknownBets = 'out',
) {
  const { bankroll } = plan
  const kelly = plan.rule.kind === 'kelly' ? kellyTable(bets, chosen, rules) : null
  const meetings = meetingsWith(bets, chosen)
  const { length } = meetings
  const points = Math.min(POINTS, length)
  const at = Array.from({ length: points }, (_, point) => Math.round(((point + 1) * length) / points))
  const profits: number[][] = at.map(() => [])
  const order = new Int32Array(length)
  const random = seededRandom(length)
  const fallen = FALLS.map(() => 0)
  let [stopped, doubled, courses] = [0, 0, 0]
  return {
    /** Simulates one more path; paths of a plan without bets stay empty. */
    step(): void {
      for (let place = 0; place < length; place += 1) order[place] = meetings[Math.floor(random() * length)]!
      const run = runStakes(bets, chosen, rules, plan, { unknown, order, ...(kelly ? { kelly } : {}) })
      let profit = 0
      let point = 0
      for (let place = 0; place < length; place += 1) {
        profit += run.profitAt[place]!
        if (place + 1 !== at[point]) continue
        profits[point]!.push(profit)
        point += 1
      }
      courses += 1
      if (bankroll === null || length === 0) return
      for (const [at, share] of FALLS.entries()) if (-run.lowest >= share * bankroll) fallen[at]! += 1
      if (!canStake(bets, chosen, rules, plan, bankrollAfter(plan, run.profit), kelly)) stopped += 1
      if (run.highest >= bankroll) doubled += 1
    },
    /** The fan of the paths so far. */
    fan() {
      const sorted = profits.map((values) => values.toSorted((a, b) => a - b))
      return {
        /** Number of meetings before each point. */
        at,
        /** Cumulative profit in cents: for each of `FAN_SHARES` a value for each of `at`. */
        lines: FAN_SHARES.map((each) => sorted.map((values) => values[Math.round(each * (courses - 1))]!)),
        /**
         * Shares of the paths that ever lost each of `FALLS` of the initial bankroll, that could no longer stake at the
         * end, and that ever doubled the bankroll; `null` without a bankroll.
         */
        chances:
          bankroll === null
            ? null
            : {
                falls: fallen.map((count) => count / courses),
                stopped: stopped / courses,
                doubled: doubled / courses,
              },
        courses,
      }
    },
  }
}

/** Meetings with at least one selected bet: others would only lengthen the path. */
function meetingsWith(bets: BetTable, chosen: Uint8Array): number[] {
  const firstBet = (meeting: number): number => bets.races[bets.meetings[meeting]!]!
  return [...bets.days.keys()].filter((meeting) =>
    chosen.subarray(firstBet(meeting), firstBet(meeting + 1)).includes(1),
  )
}

/**
 * Distribution of stakes in at most twelve groups of whole units: the number of bets of at most `upTo` cents
 * and above the previous group.
 */
export function stakeSizes(stakes: ArrayLike<number>, unit: number): { upTo: number; bets: number }[] {
  let most = 0
  for (let bet = 0; bet < stakes.length; bet += 1) most = Math.max(most, stakes[bet]!)
  const step = Math.max(1, Math.ceil(most / unit / 12)) * unit
  const counts = new Map<number, number>()
  for (let bet = 0; bet < stakes.length; bet += 1) {
    if (stakes[bet] === 0) continue
    const upTo = Math.ceil(stakes[bet]! / step) * step
    counts.set(upTo, (counts.get(upTo) ?? 0) + 1)
  }
  return [...counts].map(([upTo, bets]) => ({ upTo, bets })).toSorted((a, b) => a.upTo - b.upTo)
}
