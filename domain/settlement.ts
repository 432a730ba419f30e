import { STAKE_CENTS, oddsOfDividend } from './money.ts'
import type { Finish } from './finish.ts'
import { combinationText, gameplayOf, type GameplayClass } from './gameplay.ts'

export type Outcome = 'hit' | 'miss' | 'void'

/** A published dividend line. `refund`: stakes back; `unknown`: published, but without a figure of its own. */
export interface DividendLine {
  gameplayClass: GameplayClass
  /** As `combinationText` writes it; empty when the line is for the whole pool. */
  combination: string
  status: 'paid' | 'refund' | 'unknown'
  /** Cents per HK$10, stake included; `null` unless paid. */
  dividendCents: number | null
}

export interface RaceOutcome {
  finish: Finish
  /** Places paid by the race, 0 where it has no place pool. */
  places: number
  dividends: readonly DividendLine[]
}

export interface Settled {
  outcome: Outcome
  /** Profit of a HK$10 stake in cents; `null` when the published dividends cannot tell. */
  profitCents: number | null
  /** Decimal odds paid; `null` unless a hit whose dividend is known. */
  paidOdds: number | null
}

const VOID: Settled = { outcome: 'void', profitCents: 0, paidOdds: null }

/** Whether a combination wins in some finishing order that the result allows. */
export function isHit(
  classId: GameplayClass,
  horses: readonly number[],
  { finish, places }: Pick<RaceOutcome, 'finish' | 'places'>,
): boolean {
  const { rule, depth } = gameplayOf(classId)
  if (rule === 'order') return finish.allowsOrder(horses)
  if (rule === 'set') return finish.allowsSet(horses)
  return finish.allowsAmong(horses, depth === 'places' ? places : depth)
}

/**
 * Settles one prediction by decisions section 2: flat stake HK$10, from published dividends, never displayed odds.
 *
 * Void: a horse did not start, the race pays no place (class 2), or the pool was refunded. Unknown profit (`null`):
 * a hit whose line is not published, and any outcome of a pool of which nothing at all was published, for whether it
 * could have been played is not known either.
 */
export function settle(classId: GameplayClass, horses: readonly number[], race: RaceOutcome): Settled {
  if (horses.some((horse) => race.finish.didNotStart(horse))) return VOID
  if (classId === 2 && race.places === 0) return VOID
  const pool = race.dividends.filter((line) => line.gameplayClass === classId)
  if (pool.some((line) => line.status === 'refund' && line.combination === '')) return VOID
  if (!isHit(classId, horses, race)) {
    return { outcome: 'miss', profitCents: pool.length === 0 ? null : -STAKE_CENTS, paidOdds: null }
  }
  const combination = combinationText(classId, horses)
  const line = pool.find((candidate) => candidate.combination === combination)
  if (line?.status === 'refund') return VOID
  if (line?.status !== 'paid' || line.dividendCents === null) {
    return { outcome: 'hit', profitCents: null, paidOdds: null }
  }
  return {
    outcome: 'hit',
    profitCents: line.dividendCents - STAKE_CENTS,
    paidOdds: oddsOfDividend(line.dividendCents),
  }
}
