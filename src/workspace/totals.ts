import { STAKE_CENTS } from '../../domain/money.ts'
import { returnTrust, type Interval, type ReturnTrust } from '../../domain/statistics.ts'
import { numberOf, numberOrNull } from '../data/analytics/cells.ts'
import type { AnswerRow } from '../data/analytics/decode.ts'

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

/** The lowest and the highest that unknown dividends leave possible; `null` where all are known, or bounds were not asked. */
export function boundsOf(row: AnswerRow, of: 'profit' | 'return'): { low: number; high: number } | null {
  if (!(`${of}_worst` in row) || numberOf(row, 'unknown') === 0) return null
  const low = numberOrNull(row, `${of}_worst`)
  const high = numberOrNull(row, `${of}_best`)
  return low === null || high === null ? null : { low, high }
}

/** A colour only where the interval is clear of zero: chance must not look like skill. */
export function toneOf(interval: Interval | null): 'gain' | 'loss' | 'plain' {
  if (interval === null) return 'plain'
  if (interval.low > 0) return 'gain'
  return interval.high < 0 ? 'loss' : 'plain'
}
