/** Models whose predictions are stored, in the order of their keys. */
export const MODEL_IDS = ['market-baseline', 'fundamental', 'blended', 'network'] as const
export type ModelId = (typeof MODEL_IDS)[number]

/** Which model is displayed first: with odds the blend, without them our own, otherwise the public's. */
export const MODEL_ORDER: readonly ModelId[] = ['blended', 'fundamental', 'network', 'market-baseline']

/** The public's own line: the benchmark for the other models. */
export const MARKET_MODEL: ModelId = 'market-baseline'
