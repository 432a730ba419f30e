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
  const size = probabilities.length
  const shares = Array.from({ length: size }, () => 0)
  let best = 0
  for (let index = 0; index < size; index += 1)
    if (probabilities[index]! * odds[index]! > best) best = probabilities[index]! * odds[index]!
  // Nothing is staked unless some horse has positive expected value.
  if (best <= 1) return shares
  const order = Array.from({ length: size }, (_, index) => index)
    .filter((index) => probabilities[index]! * odds[index]! > 0)
    .toSorted((a, b) => probabilities[b]! * odds[b]! - probabilities[a]! * odds[a]!)
  // Share of the wealth that is not staked: the probability that no backed horse wins, over 1 minus the
  // backed horses' summed inverse odds.
  let reserve = 1
  let unbacked = 1
  let unpriced = 1
  const backed: number[] = []
  for (const index of order) {
    if (probabilities[index]! * odds[index]! <= reserve) break
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
