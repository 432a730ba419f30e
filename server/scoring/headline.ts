import { MARKET_BASELINE } from './market-baseline.ts'

/** The model whose predictions tips, records and totals show. */
export const HEADLINE_MODEL = MARKET_BASELINE
