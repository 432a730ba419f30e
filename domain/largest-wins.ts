import type { StakedRun } from './staking.ts'

/** How many of the largest wins a result is told without. */
export const LARGEST_WINS = 5

/** A result without its largest wins. Amounts are cents. */
export interface WithoutLargest {
  /** How many wins are left out. */
  wins: number
  staked: number
  profit: number
}

/**
 * The result of a run, which has the details of its bets, without those that won most: how much of it hangs on a few long
 * shots. `null` if no more than `wins` bets won, because nothing would be left to judge.
 */
export function withoutLargest(
  { staked, profit, stakes, profits }: Pick<StakedRun, 'staked' | 'profit' | 'stakes' | 'profits'>,
  wins: number,
): WithoutLargest | null {
  const won: { gain: number; stake: number }[] = []
  for (let bet = 0; bet < profits!.length; bet += 1)
    if (profits![bet]! > 0) won.push({ gain: profits![bet]!, stake: stakes![bet]! })
  if (won.length <= wins) return null
  const left = { wins, staked, profit }
  for (const { gain, stake } of won.toSorted((a, b) => b.gain - a.gain).slice(0, wins)) {
    left.staked -= stake
    left.profit -= gain
  }
  return left
}
