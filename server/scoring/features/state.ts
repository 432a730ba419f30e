/** A run as later races look back on it. */
export interface Run {
  day: number
  stadiumId: string
  track: string
  going: string
  /** Metres; 0 where nothing tells it. */
  distanceM: number
  /** Performance on the ability scale: margin score against the field, plus the field's own strength. */
  level: number
  /** The same against what was expected of the horse. */
  surprise: number
  /** Speed figure in seconds per kilometre faster than par; `null` without a time. */
  figure: number | null
  /** Place at the first call, 0 in front, 1 last; `null` without calls. */
  early: number | null
  weightLb: number | null
  bodyLb: number | null
  rating: number | null
  gear: string | null
  jockeyId: string | null
  trainerId: string | null
  raceClass: number | null
  /** What its stall was worth. */
  drawLuck: number
  starters: number
  place: number | null
}

/** A quantity that is learnt from noisy margins: mean, variance, and the day of both. */
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
  /** Newest last, `KEPT_RUNS` at most. */
  recent: Run[]
}

/** A sum that fades with time. */
export interface Fading {
  sum: number
  count: number
  day: number
}

export interface PersonState {
  skill: Belief
  /** Wins above one in the number of starters. */
  wins: Fading
  /** First three places above their chance. */
  placed: Fading
  /** The wins of the last weeks. */
  form: Fading
  /** The wins by stadium. */
  at: Record<string, Fading>
}

/** Times over one course and distance. */
export interface Par {
  /** Milliseconds of an average finisher on an average day. */
  meanMs: number
  races: number
}

/**
 * Everything that features look back on, as of the morning after `day`: plain data, so that it can be kept and taken
 * up again (`pack.ts`).
 */
export interface FeatureState {
  version: number
  /** Last day that is in it, days since 1970; `null` before the first. */
  day: number | null
  horses: Record<string, HorseState>
  jockeys: Record<string, PersonState>
  trainers: Record<string, PersonState>
  /** Rides of a jockey for a trainer, as wins above chance. */
  pairs: Record<string, Fading>
  /** Margin score that stalls gave or took, by course and stall. */
  stalls: Record<string, Fading>
  pars: Record<string, Par>
  /** Seconds per kilometre that a class is slower than the mean of all. */
  classPars: Record<string, Par>
}

/** Grows when states of before can no longer be taken up. */
export const STATE_VERSION = 2
export const KEPT_RUNS = 30
/** Days without a run after which a horse is forgotten: it has retired, and its brand may be given again. */
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
