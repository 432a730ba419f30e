/**
 * How long the features remember. Chosen on the tuning seasons by `score choose` (docs/decisions/011-model-settings.md),
 * which alone changes it, while it runs.
 */
export const MEMORY = {
  /** Variance of a horse's ability before its first run, and what each day adds. */
  abilityVariance: 2.5,
  abilityDrift: 0.001,
  /** The same of what a jockey or a trainer adds. */
  skillVariance: 0.06,
  skillDrift: 0.00006,
  /** Variance of one margin score. */
  noise: 1.6,
  /** Margin score that a pound costs, and ability that a rating point promises to a newcomer. */
  perPound: 0.015,
  perRatingPoint: 0.009,
  /** Days after which a rate counts half. */
  halfLifeDays: 260,
  formHalfLifeDays: 180,
  /** Rides that a person without any is taken to have had at chance. */
  ridesAtChance: 30,
  /** Share of a run that the one after it leaves of it in running means. */
  keep: 0.85,
  /** Runs at a stall that count as none. */
  stallsAtChance: 160,
  /** Races after which a par moves as a running mean. */
  parRaces: 15,
}

export type Memory = typeof MEMORY
