/** Maximum marks per customer. */
export const MAX_MARKS = 20_000

/** The ratings that a customer gives: Hong Kong's go to 140. */
export const RATING_RANGE = { min: 0, max: 200 } as const

/** The decimal odds that a customer gives. */
export const OWN_ODDS_RANGE = { min: 1.01, max: 999 } as const
