import { PREDICTIONS } from './predictions.ts'
import { STARTERS } from './starters.ts'

/** The semantic models by name. */
export const MODELS = { predictions: PREDICTIONS, starters: STARTERS } as const
export type ModelName = keyof typeof MODELS
