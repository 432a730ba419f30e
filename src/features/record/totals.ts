import { STAKE_CENTS } from '../../../domain/money.ts'
import { returnTrust, type ReturnTrust } from '../../../domain/statistics.ts'
import { numberOf } from '../../data/analytics/cells.ts'
import type { AnswerRow } from '../../data/analytics/decode.ts'

/** Measures that every figure of the record is made of. */
export const TOTALS = [
  'predictions',
  'hits',
  'voids',
  'unknown',
  'unknown_hits',
  'staked',
  'profit',
  'chance_rate',
] as const
/** What bounds a profit whose dividends are partly unknown: needs the rows. */
export const BOUNDS = ['profit_worst', 'profit_best', 'return_worst', 'return_best'] as const

export interface Judgement {
  /** Bets that were played: void predictions were none. */
  played: number
  /** Bets whose profit is known. */
  bets: number
  trust: ReturnTrust
  /** Whether one profit and return may be shown, and not only their bounds. */
  told: boolean
}

/** How far the sums of a row may be trusted. */
export function judge(row: AnswerRow): Judgement {
  const bets = numberOf(row, 'staked') / STAKE_CENTS
  const trust = returnTrust(bets, numberOf(row, 'hits'), numberOf(row, 'unknown_hits'))
  return {
    played: numberOf(row, 'predictions') - numberOf(row, 'voids'),
    bets,
    trust,
    told: trust !== 'incomplete' && bets > 0,
  }
}
