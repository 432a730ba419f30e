import { HIT, VOID, type BetTable } from './bet-table.ts'
import { isCertain, stakedBounds } from './staking-summary.ts'
import type { StakedRun, UnknownBets } from './staking.ts'
import { ratioOfGroups, type Interval, type Ratio, type RatioOfGroups } from './statistics.ts'

/** What a plan staked and won on the bets of one group. Amounts are cents. */
export interface StakedGroup {
  /** Bets with a known profit, and how many of them hit. */
  bets: number
  hits: number
  /** Bets of unknown dividend, and how many of them won. */
  unknown: number
  unknownHits: number
  /** Whether a single profit and return can be stated. */
  certain: boolean
  staked: number
  profit: number
  /** Return with its 95% interval by meeting; `null` without a stake. */
  returned: RatioOfGroups | null
  /** Lowest and highest profit and return possible given the unknown dividends; `null` where all are known. */
  bounds: { profit: Interval; returned: Interval | null } | null
}

/** The same plan with each treatment of unknown dividends, with the stake and the profit of each bet. */
export type RunsOfPlan = Readonly<Record<UnknownBets, Pick<StakedRun, 'stakes' | 'profits'>>>

const newSums = () => ({ bets: 0, hits: 0, unknown: 0, unknownHits: 0, staked: 0, profit: 0 })

interface Growing {
  out: ReturnType<typeof newSums>
  worst: Pick<StakedRun, 'staked' | 'profit'>
  best: Pick<StakedRun, 'staked' | 'profit'>
  /** Profit and stakes of each meeting with a bet of the group; the last one is that of `meeting`. */
  meetings: Ratio[]
  meeting: number
}

const newGroup = (): Growing => ({
  out: newSums(),
  worst: { staked: 0, profit: 0 },
  best: { staked: 0, profit: 0 },
  meetings: [],
  meeting: -1,
})

/**
 * Divides the bets of a plan among groups, by their numbers from 0. `groupsOf`: the groups that a bet counts in, as often
 * as it counts in each. A group without a bet that was settled is not in the result.
 */
export function groupStakes(
  bets: BetTable,
  groupsOf: (bet: number) => readonly number[],
  runs: RunsOfPlan,
): Map<number, StakedGroup> {
  const groups = new Map<number, Growing>()
  for (let meeting = 0; meeting + 1 < bets.meetings.length; meeting += 1) {
    const end = bets.races[bets.meetings[meeting + 1]!]!
    for (let bet = bets.races[bets.meetings[meeting]!]!; bet < end; bet += 1) {
      if (bets.outcome[bet] === VOID || !isPlaced(runs, bet)) continue
      for (const at of groupsOf(bet)) {
        const group = groups.get(at) ?? newGroup()
        groups.set(at, group)
        addBet(group, bets, bet, meeting, runs)
      }
    }
  }
  return new Map([...groups].map(([at, group]) => [at, settled(group)]))
}

const isPlaced = ({ out, worst, best }: RunsOfPlan, bet: number): boolean =>
  out.stakes![bet]! > 0 || worst.stakes![bet]! > 0 || best.stakes![bet]! > 0

function addBet(group: Growing, bets: BetTable, bet: number, meeting: number, runs: RunsOfPlan): void {
  for (const bound of ['worst', 'best'] as const) {
    const { stakes, profits } = runs[bound]
    if (!(stakes![bet]! > 0) || Number.isNaN(profits![bet]!)) continue
    group[bound].staked += stakes![bet]!
    group[bound].profit += profits![bet]!
  }
  const { out } = group
  const stake = runs.out.stakes![bet]!
  const profit = runs.out.profits![bet]!
  if (!(stake > 0)) return
  const hit = bets.outcome[bet] === HIT ? 1 : 0
  if (Number.isNaN(profit)) {
    out.unknown += 1
    out.unknownHits += hit
    return
  }
  out.bets += 1
  out.hits += hit
  out.staked += stake
  out.profit += profit
  if (group.meeting !== meeting) {
    group.meeting = meeting
    group.meetings.push({ numerator: 0, denominator: 0 })
  }
  const last = group.meetings.at(-1)!
  last.numerator += profit
  last.denominator += stake
}

const settled = ({ out, worst, best, meetings }: Growing): StakedGroup => ({
  ...out,
  certain: isCertain(out),
  returned: meetings.length === 0 ? null : ratioOfGroups(meetings),
  bounds: out.unknown === 0 ? null : stakedBounds(worst, best),
})
