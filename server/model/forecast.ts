import type { Chance, PredictionLine } from './lines.ts'
import type { Contribution } from './models/predict.ts'
import type { ModelId } from './models/sources.ts'

/** One model's forecast of one race. */
export interface Forecast {
  modelId: ModelId
  /** Every betting interest, by number; `reasons` are empty if the model gives none. */
  chances: (Chance & { reasons: Contribution[] })[]
  lines: PredictionLine[]
}
