/**
 * How long the features remember. Chosen on the tuning seasons by `score choose`
 * (docs/decisions/011-model-settings.md), the only code that changes it, while it runs.
 */
export const MEMORY = {
  /** Variance of a horse's ability before its first run, and its increase per day. */
  abilityVariance: 2.5,
  abilityDrift: 0.001,
  /** The same for the skill of a jockey or trainer. */
  skillVariance: 0.06,
  skillDrift: 0.00006,
  /** Variance of one margin score. */
  noise: 1.6,
  /** Margin score lost per pound carried, and ability expected of a newcomer per rating point. */
  perPound: 0.015,
  perRatingPoint: 0.009,
  /** Half-life of rates, in days. */
  halfLifeDays: 260,
  formHalfLifeDays: 180,
  /** Rides at chance that are added to each person's record as a prior. */
  ridesAtChance: 30,
  /** Weight of a run in running means, relative to the next one. */
  keep: 0.85,
  /** Runs at chance that are added to each stall's record as a prior. */
  stallsAtChance: 160,
  /** Number of races after which a par becomes a running mean. */
  parRaces: 15,
}

export type Memory = typeof MEMORY
