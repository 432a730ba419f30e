import { PREDICTIONS } from './predictions.ts'
import { RUNNERS } from './runners.ts'

/** The semantic models by name. */
export const MODELS = { predictions: PREDICTIONS, runners: RUNNERS } as const
export type ModelName = keyof typeof MODELS
