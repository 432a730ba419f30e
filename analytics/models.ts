import { PREDICTIONS } from './predictions.ts'
import { RACES } from './races.ts'
import { RUNNERS } from './runners.ts'

/** The semantic models by name. */
export const MODELS = { predictions: PREDICTIONS, runners: RUNNERS, races: RACES } as const
export type ModelName = keyof typeof MODELS
