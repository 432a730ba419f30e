const TOP = 3

/**
 * Whether a prediction was right about one horse (decisions section 2): its actual and predicted ranks are
 * equal and nonzero, or both within the first three. Ranks start at 1; 0 or `null` means no rank.
 */
export function isHorseHit(actual: number | null, predicted: number | null): boolean {
  if (!actual || !predicted) return false
  return actual === predicted || (actual <= TOP && predicted <= TOP)
}

/** Parses a published rank: a whole number; `null` for a code (`WV`, `PU`) or an empty text. */
export function rankOf(ranking: string): number | null {
  return /^\d{1,2}$/.test(ranking) && Number(ranking) > 0 ? Number(ranking) : null
}

/** Saddle numbers of the first `shown` horses, ranks ascending; dead heats may make the list longer. */
export function rankedHorses(
  runners: readonly { horseNumber: number | null; ranking: string }[],
  shown: number,
): { rank: number; horseNumber: number }[] {
  return runners
    .flatMap(({ horseNumber, ranking }) => {
      const rank = rankOf(ranking)
      return rank === null || horseNumber === null || rank > shown ? [] : [{ rank, horseNumber }]
    })
    .toSorted((a, b) => a.rank - b.rank || a.horseNumber - b.horseNumber)
}
