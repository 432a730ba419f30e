/** Not used by the product: the specification names this rule beside the racing rules, and its tests prove it. */
export type MatchResult = 'home-win' | 'draw' | 'home-loss'

/** The result of a football match for the home side (specification section 4). */
export function matchResult(correctScoreHome: number, correctScoreAway: number): MatchResult {
  if (correctScoreHome > correctScoreAway) return 'home-win'
  return correctScoreHome === correctScoreAway ? 'draw' : 'home-loss'
}
