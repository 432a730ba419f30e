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

/** A past run, as later races use it. */
export interface Run {
  day: number
  stadiumId: string
  track: string
  going: string
  /** Metres; 0 if unknown. */
  distanceM: number
  /** Performance on the ability scale: margin score relative to the field, plus the field's mean ability. */
  level: number
  /** Margin score relative to what was expected of the horse. */
  surprise: number
  /** Speed figure in seconds per kilometre faster than par; `null` without a time. */
  figure: number | null
  /** Position at the first call, 0 in front, 1 last; `null` without calls. */
  early: number | null
  weightLb: number | null
  bodyLb: number | null
  rating: number | null
  gear: string | null
  jockeyId: string | null
  trainerId: string | null
  raceClass: number | null
  /** Expected value of its stall, in margin score. */
  drawLuck: number
  starters: number
  place: number | null
}

/** An estimate learnt from noisy margins: mean, variance, and the day of both. */
export interface Belief {
  mean: number
  variance: number
  day: number
}

export interface HorseState {
  ability: Belief
  runs: number
  wins: number
  placed: number
  /** Newest last, at most `RETAINED_RUNS`. */
  recent: Run[]
}

/** A sum and a count that decay with time. */
export interface Fading {
  sum: number
  count: number
  day: number
}

export interface PersonState {
  skill: Belief
  /** Wins minus the chance of 1 / starters. */
  wins: Fading
  /** Finishes in the first three, minus their chance. */
  placed: Fading
  /** Like `wins`, with a shorter half-life. */
  form: Fading
  /** Like `wins`, by stadium. */
  at: Record<string, Fading>
}

/** A running mean of times over one course and distance. */
export interface Par {
  /** Time of an average finisher on an average day, in milliseconds. */
  meanMs: number
  races: number
}

/**
 * Everything that features are computed from, as of the morning after `day`: plain data, so that it can be
 * stored and loaded again (`pack.ts`).
 */
export interface FeatureState {
  version: number
  /** Last day included, in days since 1970; `null` before the first. */
  day: number | null
  horses: Record<string, HorseState>
  jockeys: Record<string, PersonState>
  trainers: Record<string, PersonState>
  /** Rides of a jockey for a trainer, as wins above chance. */
  pairs: Record<string, Fading>
  /** Margin score gained or lost by stalls, by course and stall. */
  stalls: Record<string, Fading>
  pars: Record<string, Par>
  /** Seconds per kilometre (in `meanMs`) by which a class is faster than par. */
  classPars: Record<string, Par>
}

/** Incremented when older stored states can no longer be used. */
export const STATE_VERSION = 2
export const RETAINED_RUNS = 30
/** Days without a run after which a horse is removed: it has retired, and its brand may be reused. */
export const FORGOTTEN_DAYS = 730

export const emptyState = (): FeatureState => ({
  version: STATE_VERSION,
  day: null,
  horses: {},
  jockeys: {},
  trainers: {},
  pairs: {},
  stalls: {},
  pars: {},
  classPars: {},
})
