/**
 * Shares of the bankroll that maximise the expected logarithm of wealth when several horses of one race are
 * backed, of which at most one wins: Smoczynski and Tomkins (2010), "An explicit solution to the problem of
 * optimizing the allocations of a bettor's wealth when wagering on horse races", Mathematical Scientist 35.
 * For one horse it is Kelly's (p × odds − 1) ÷ (odds − 1).
 *
 * `probabilities` of the horses that may be backed, summing to at most 1; `odds` decimal, stake included. A
 * horse with unknown odds (NaN) is not backed. Returns a share for each horse, 0 if it is not backed.
 */
export function kellyShares(probabilities: ArrayLike<number>, odds: ArrayLike<number>): number[] {
  const shares = Array.from({ length: probabilities.length }, () => 0)
  const worth = (index: number): number => probabilities[index]! * odds[index]!
  const order = [...shares.keys()].filter((index) => worth(index) > 0).toSorted((a, b) => worth(b) - worth(a))
  // Nothing is staked unless some horse has positive expected value.
  if (order.length === 0 || worth(order[0]!) <= 1) return shares
  // Share of the wealth that is not staked: the probability that no backed horse wins, over 1 minus the
  // backed horses' summed inverse odds.
  let reserve = 1
  let unbacked = 1
  let unpriced = 1
  const backed: number[] = []
  for (const index of order) {
    if (worth(index) <= reserve) break
    // Impossible for probabilities that sum to at most 1, except through rounding.
    if (unpriced - 1 / odds[index]! <= 0) break
    unbacked -= probabilities[index]!
    unpriced -= 1 / odds[index]!
    reserve = Math.max(0, unbacked) / unpriced
    backed.push(index)
  }
  for (const index of backed) shares[index] = Math.max(0, probabilities[index]! - reserve / odds[index]!)
  return shares
}
