import type { Totals } from '../../../contract/queries.ts'
import { STAKE_CENTS } from '../../../domain/money.ts'
import { returnTrust, type ReturnTrust } from '../../../domain/statistics.ts'

/** Void predictions were no bets. */
export const played = ({ predictions, voids }: Pick<Totals, 'predictions' | 'voids'>): number =>
  predictions - voids

export interface Judgement {
  /** Bets whose profit is known. */
  bets: number
  trust: ReturnTrust
  /** Whether a profit and a return may be told at all. */
  told: boolean
}

/** How far the sums of a record may be trusted. */
export function judge(totals: Pick<Totals, 'stake_cents' | 'hits' | 'unknown_hits'>): Judgement {
  const bets = totals.stake_cents / STAKE_CENTS
  const trust = returnTrust(bets, totals.hits, totals.unknown_hits)
  return { bets, trust, told: trust !== 'incomplete' && bets > 0 }
}
