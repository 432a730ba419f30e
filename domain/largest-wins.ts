/** A result without its largest wins. Amounts are cents. */
export interface WithoutLargest {
  /** How many wins are left out. */
  wins: number
  staked: number
  profit: number
}

/**
 * The result of staked bets without those that won most: how much of it hangs on a few long shots. Bets of unknown profit
 * (`NaN`) do not count. `null` if no more than `wins` bets won, because nothing would be left to judge.
 */
export function withoutLargest(
  stakes: ArrayLike<number>,
  profits: ArrayLike<number>,
  wins: number,
): WithoutLargest | null {
  let [staked, profit] = [0, 0]
  const won: { stake: number; profit: number }[] = []
  for (let bet = 0; bet < stakes.length; bet += 1) {
    const [stake, gain] = [stakes[bet]!, profits[bet]!]
    if (!(stake > 0) || Number.isNaN(gain)) continue
    staked += stake
    profit += gain
    if (gain > 0) won.push({ stake, profit: gain })
  }
  if (won.length <= wins) return null
  const largest = won.toSorted((a, b) => b.profit - a.profit).slice(0, wins)
  return {
    wins,
    staked: staked - largest.reduce((sum, { stake }) => sum + stake, 0),
    profit: profit - largest.reduce((sum, { profit: gain }) => sum + gain, 0),
  }
}
