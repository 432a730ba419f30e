/** Models whose predictions are stored, in the order of their keys. */
export const MODEL_IDS = ['market-baseline', 'fundamental', 'blended'] as const
export type ModelId = (typeof MODEL_IDS)[number]

/** The order in which models are shown first: with odds the blend, without them our own, else the public's. */
export const MODEL_ORDER: readonly ModelId[] = ['blended', 'fundamental', 'market-baseline']

/** The public's own line: what other models are compared with. */
export const MARKET_MODEL: ModelId = 'market-baseline'
