/** Models whose predictions are stored, in the order of their keys. */
export const MODEL_IDS = ['market-baseline', 'fundamental', 'blended', 'network'] as const
export type ModelId = (typeof MODEL_IDS)[number]

/** Models that use no odds: a region shows the promoted one of them first where there are no odds. */
export const ODDS_FREE_MODELS = ['fundamental', 'network'] as const
export type OddsFreeModel = (typeof ODDS_FREE_MODELS)[number]

/** The one that is shown first until another is promoted. */
export const FIRST_HEADLINE: OddsFreeModel = 'fundamental'

/**
 * In which order a region's models are displayed: with odds the blend, without them the promoted model (`headline`) before
 * its challengers, otherwise the public's.
 *
 * ```ts
 * modelOrder('network') // => ['blended', 'network', 'fundamental', 'market-baseline']
 * ```
 */
export const modelOrder = (headline: OddsFreeModel = FIRST_HEADLINE): readonly ModelId[] => [
  'blended',
  headline,
  ...ODDS_FREE_MODELS.filter((model) => model !== headline),
  'market-baseline',
]

/** The public's own line: the benchmark for the other models. */
export const MARKET_MODEL: ModelId = 'market-baseline'
