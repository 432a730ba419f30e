/** A model's predictions; `null`: of each race those of the model that is shown first (`race.headline_model`). */
export type ModelChoice = string | null

/** What tips, records and totals show. */
export const HEADLINE: ModelChoice = null
