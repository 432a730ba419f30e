import type { BetTable } from '../../domain/bet-table.ts'
import type { StakePlan, UnknownBets } from '../../domain/staking.ts'

/** A bet in readable form; `odds` are those that determine its stake. */
export interface WrittenBet {
  meeting: number
  race: number
  probability: number
  market: number
  odds: number | null
  finalOdds: number | null
  outcome: 'hit' | 'miss' | 'void'
  profit: number | null
  win: boolean
  rank: number
  /** The reader's own number; `null`: none. */
  amount: number | null
}

/** A losing win bet with the given changes. */
export const writtenBet = (over: Partial<WrittenBet> = {}): WrittenBet => ({
  meeting: 0,
  race: 0,
  probability: 0.3,
  market: 0.25,
  odds: 4,
  finalOdds: 4,
  outcome: 'miss',
  profit: -1000,
  win: true,
  rank: 1,
  amount: null,
  ...over,
})

const OUTCOMES = { miss: 0, hit: 1, void: 2 } as const

/** Converts bets, sorted by meeting and race, to the columns that are staked. */
export function tableOf(list: readonly WrittenBet[], days: readonly string[]): BetTable {
  const races: number[] = []
  const meetings: number[] = []
  for (const [at, bet] of list.entries()) {
    const before = list[at - 1]
    const newMeeting = before === undefined || before.meeting !== bet.meeting
    if (newMeeting) while (meetings.length <= bet.meeting) meetings.push(races.length)
    if (newMeeting || before.race !== bet.race) races.push(at)
  }
  while (meetings.length <= days.length) meetings.push(races.length)
  races.push(list.length)
  const column = (of: (bet: WrittenBet) => number | null): Float64Array =>
    Float64Array.from(list, (bet) => of(bet) ?? Number.NaN)
  return {
    size: list.length,
    races: Int32Array.from(races),
    meetings: Int32Array.from(meetings),
    days,
    probability: column(({ probability }) => probability),
    market: column(({ market }) => market),
    finalOdds: column(({ finalOdds }) => finalOdds),
    openingOdds: column(({ odds }) => odds),
    lateOdds: column(({ finalOdds }) => finalOdds),
    rank: column(({ rank }) => rank),
    outcome: Uint8Array.from(list, ({ outcome }) => OUTCOMES[outcome]),
    profit: column(({ profit }) => profit),
    win: Uint8Array.from(list, ({ win }) => (win ? 1 : 0)),
    amounts: column(({ amount }) => amount),
  }
}

/** Kelly's fraction for one horse: (p × odds − 1) ÷ (odds − 1), never below 0. */
export const kellyOfOne = (probability: number, odds: number): number =>
  Math.max(0, (probability * odds - 1) / (odds - 1))

/**
 * Stakes and settles bets of races with one bet each, or of any races if the rule is not Kelly's: an independent
 * implementation that shares nothing with `domain/staking.ts` and uses no column arrays.
 */
export function stakedByHand(
  list: readonly WrittenBet[],
  plan: StakePlan,
  unknown: UnknownBets,
): { staked: number; profit: number; bets: number; unknown: number } {
  let purse = plan.bankroll
  const sums = { staked: 0, profit: 0, bets: 0, unknown: 0 }
  const keys = [...new Set(list.map(({ meeting, race }) => `${meeting}/${race}`))]
  for (const key of keys) {
    const ofRace = list.filter(({ meeting, race }) => `${meeting}/${race}` === key)
    const money = purse ?? Infinity
    if (money < plan.unit) continue
    let wishes = ofRace.map((bet) => {
      const wish = wishOf(bet, plan, money)
      return plan.maxBet === null ? wish : Math.min(wish, plan.maxBet)
    })
    const sum = wishes.reduce((a, b) => a + b, 0)
    const limits = [money, plan.maxRace, plan.maxShare === null ? null : plan.maxShare * money]
    const limit = Math.min(...limits.filter((each) => each !== null))
    if (sum > limit) wishes = wishes.map((wish) => wish * (limit / sum))
    const stakes = wishes.map((wish) => Math.floor(wish / plan.unit + 1e-9) * plan.unit)
    const inRace = stakes.reduce(
      (sum, stake, at) => (ofRace[at]!.win && ofRace[at]!.outcome !== 'void' ? sum + stake : sum),
      0,
    )
    let won = 0
    for (const [at, bet] of ofRace.entries()) {
      const stake = stakes[at]!
      if (stake === 0 || bet.outcome === 'void') continue
      const paid = paidFor(bet, plan, unknown, stake, inRace)
      if (paid === null) {
        sums.unknown += 1
        continue
      }
      const cents = Math.round(paid)
      const rebate = stake < plan.rebateFrom ? 0 : plan.rebate
      const back = (cents > 0 ? plan.commission : rebate) * cents
      const net = cents - Math.round(back / 10_000)
      sums.staked += stake
      sums.bets += 1
      won += net
    }
    sums.profit += won
    if (purse !== null) purse += won
  }
  return sums
}

function wishOf(bet: WrittenBet, { rule }: StakePlan, money: number): number {
  if (rule.kind === 'level') return rule.stake
  if (rule.kind === 'share') return rule.share * money
  if (rule.kind === 'column') return Math.max(0, bet.amount ?? 0) * rule.each
  const { odds } = bet
  if (odds === null) return 0
  if (rule.kind === 'target') return odds > 1 ? rule.win / (odds - 1) : 0
  return bet.win ? kellyOfOne(bet.probability, odds) * rule.fraction * money : 0
}

/** Profit before commission and rebate; `null` if the bet is left out. */
function paidFor(
  bet: WrittenBet,
  plan: StakePlan,
  unknown: UnknownBets,
  stake: number,
  inRace: number,
): number | null {
  if (bet.profit === null) {
    if (unknown === 'out') return null
    if (unknown === 'worst') return bet.outcome === 'hit' ? 0 : -stake
    return bet.outcome === 'hit' ? stake * (1 / bet.market - 1) : null
  }
  const dividend = 1 + bet.profit / 1000
  if (plan.pool === null || !bet.win || dividend === 0 || bet.finalOdds === null)
    return (stake * bet.profit) / 1000
  const before = ((1 - plan.takeout) * plan.pool) / bet.finalOdds
  const share = ((plan.pool + inRace) * before) / (plan.pool * (before + stake))
  return stake * Math.max(0, dividend * share - 1)
}
