import { MODEL_IDS } from '../../../contract/model-ids.ts'

/** Sources of win probabilities; only predictions of those in `MODELS` are stored. */
export const SOURCES = ['uniform', 'market', 'market-baseline', 'fundamental', 'blended', 'network'] as const
export type Source = (typeof SOURCES)[number]

/** Sources that are models with stored predictions. */
export const MODELS = MODEL_IDS
export type { ModelId } from '../../../contract/model-ids.ts'
