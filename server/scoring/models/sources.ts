import { MODEL_IDS } from '../../../contract/model-ids.ts'

/** Where win probabilities come from: predictions of the last three are kept. */
export const SOURCES = ['uniform', 'market', 'market-baseline', 'fundamental', 'blended'] as const
export type Source = (typeof SOURCES)[number]

/** Sources that are models with predictions of their own. */
export const MODELS = MODEL_IDS
export type { ModelId } from '../../../contract/model-ids.ts'
