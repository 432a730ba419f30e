/** A model's id; `null`: each race's headline model (`race.headline_model`). */
export type ModelChoice = string | null

/** The models shown in tips, records and totals. */
export const HEADLINE: ModelChoice = null
