import { HIT, MISS, VOID, type BetTable } from '../../../domain/bet-table.ts'
import { ratioOfGroups, type RatioOfGroups } from '../../../domain/statistics.ts'
import { runStakes } from '../../../domain/staking.ts'
import type { FrozenBet, FrozenRule } from '../../../contract/api/frozen.ts'

const CODES = { hit: HIT, miss: MISS, void: VOID } as const

export interface FrozenRecord {
  bets: number
  hits: number
  /** Recorded, but not settled yet. */
  waiting: number
  unknown: number
  staked: number
  profit: number
  returned: RatioOfGroups | null
  /** Profit in cents of each settled bet; `null` if unknown. */
  profits: ReadonlyMap<FrozenBet, number | null>
}

/**
 * The result of recorded bets (in race order) at the stakes of their plan, settled like the lab's backtests.
 */
export function recordOf({ plan, rules }: FrozenRule, bets: readonly FrozenBet[]): FrozenRecord {
  const settled = bets.filter(({ outcome }) => outcome !== null)
  const table = tableOf(settled)
  const run = runStakes(table, new Uint8Array(table.size).fill(1), rules, plan, { detail: true })
  const meetings = table.days.map((_, at) => ({
    numerator: run.profitAt[at]!,
    denominator: run.stakedAt[at]!,
  }))
  const staked = meetings.filter(({ denominator }) => denominator > 0)
  return {
    bets: run.bets,
    hits: run.hits,
    waiting: bets.length - settled.length,
    unknown: run.unknown,
    staked: run.staked,
    profit: run.profit,
    returned: staked.length === 0 ? null : ratioOfGroups(staked),
    profits: new Map(settled.map((bet, at) => [bet, bet.profitCents === null ? null : run.profits![at]!])),
  }
}

function tableOf(bets: readonly FrozenBet[]): BetTable {
  const column = (of: (bet: FrozenBet) => number | null): Float64Array =>
    Float64Array.from(bets, (bet) => of(bet) ?? Number.NaN)
  const races: number[] = []
  const meetings: number[] = []
  const days: string[] = []
  for (const [at, bet] of bets.entries()) {
    const before = bets[at - 1]
    if (before?.raceId === bet.raceId) continue
    if (before?.date !== bet.date || before.stadiumId !== bet.stadiumId) {
      meetings.push(races.length)
      days.push(bet.date)
    }
    races.push(at)
  }
  return {
    size: bets.length,
    races: Int32Array.of(...races, bets.length),
    meetings: Int32Array.of(...meetings, races.length),
    days,
    probability: column(({ probability }) => probability),
    market: column(({ marketProbability }) => marketProbability),
    finalOdds: column(({ odds }) => odds),
    openingOdds: column(({ openingOdds }) => openingOdds),
    lateOdds: column(({ odds }) => odds),
    rank: column(({ rank }) => rank),
    outcome: Uint8Array.from(bets, ({ outcome }) => CODES[outcome!]),
    profit: column(({ profitCents }) => profitCents),
    win: Uint8Array.from(bets, ({ gameplayClass }) => (gameplayClass === 1 ? 1 : 0)),
  }
}
