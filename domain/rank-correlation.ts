/** Ranks from 1; equal values share the mean of theirs. */
function ranksOf(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length
    const equal = values.filter((other) => other === value).length
    return below + (equal + 1) / 2
  })
}

/**
 * Spearman's rank correlation of two lists of the same length: Pearson's correlation of their ranks, equal values sharing the
 * mean of theirs. `null` if one of the lists has only one value.
 *
 * ```ts
 * rankCorrelation([0.1, 0.5, 0.9], [1, 2, 3]) // => 1
 * rankCorrelation([0.5, 0.5, 0.5], [1, 2, 3]) // => null
 * ```
 */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number | null {
  const [ofA, ofB] = [ranksOf(a), ranksOf(b)]
  const mean = (a.length + 1) / 2
  const product = (one: readonly number[], other: readonly number[]): number =>
    one.reduce((sum, rank, index) => sum + (rank - mean) * (other[index]! - mean), 0)
  const size = Math.sqrt(product(ofA, ofA) * product(ofB, ofB))
  return size === 0 ? null : product(ofA, ofB) / size
}
