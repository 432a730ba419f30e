/**
 * Shares of the bankroll that maximise the expected logarithm of wealth when several horses of one race are backed, of
 * which one at most wins: Smoczynski and Tomkins (2010), "An explicit solution to the problem of optimizing the
 * allocations of a bettor's wealth when wagering on horse races", Mathematical Scientist 35. For one horse it is Kelly's
 * (p × odds − 1) ÷ (odds − 1).
 *
 * `probabilities` of the horses that may be backed, at most 1 together; `odds` decimal, stake included. A horse of unknown
 * odds (NaN) is not backed. The answer has a share for each, 0 for who is not backed.
 */
export function kellyShares(probabilities: ArrayLike<number>, odds: ArrayLike<number>): number[] {
  const size = probabilities.length
  const shares = Array.from({ length: size }, () => 0)
  let best = 0
  for (let index = 0; index < size; index += 1)
    if (probabilities[index]! * odds[index]! > best) best = probabilities[index]! * odds[index]!
  // Nothing is staked unless some horse is worth more than its price.
  if (best <= 1) return shares
  const order = Array.from({ length: size }, (_, index) => index)
    .filter((index) => probabilities[index]! * odds[index]! > 0)
    .toSorted((a, b) => probabilities[b]! * odds[b]! - probabilities[a]! * odds[a]!)
  // What is kept back, as a share of wealth per unit of the chance that no backed horse wins.
  let reserve = 1
  let unbacked = 1
  let unpriced = 1
  const backed: number[] = []
  for (const index of order) {
    if (probabilities[index]! * odds[index]! <= reserve) break
    // Cannot be for probabilities that are at most 1 together, but for the last digit.
    if (unpriced - 1 / odds[index]! <= 0) break
    unbacked -= probabilities[index]!
    unpriced -= 1 / odds[index]!
    reserve = Math.max(0, unbacked) / unpriced
    backed.push(index)
  }
  for (const index of backed) shares[index] = Math.max(0, probabilities[index]! - reserve / odds[index]!)
  return shares
}
