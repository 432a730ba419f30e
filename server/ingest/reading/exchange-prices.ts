import { gameplayOf, type GameplayClass } from '../../../domain/gameplay.ts'
import { STAKE_CENTS } from '../../../domain/money.ts'
import type { DividendDraft } from '../../drafts/drafts.ts'
import { decimal, integer } from './cells.ts'
import type { CsvRow } from './csv-file.ts'
import { RowError } from './format.ts'

/** Cells of files of the betting exchange Betfair, in any of its layouts. */

/** What Betfair writes for a price that there was none of; some files have 1001. */
const NO_PRICE = 1000

/** A starting price; `null` if there was none. Throws `odds-out-of-range`. */
export function startingPrice(row: CsvRow, column: string): number | null {
  const price = decimal(row, column)
  if (price === null || price >= NO_PRICE || price === 0) return null
  if (price <= 1) throw new RowError('odds-out-of-range', `${column}: ${price}`)
  return price
}

const MOST_ID = 1e12

/** Betfair's number of a horse, which is above 0. Throws `missing-field`, `not-a-number`, `not-whole`, `out-of-range`. */
export function selectionOf(row: CsvRow, column: string): string {
  const id = integer(row, column, 1, MOST_ID)
  if (id === null) throw new RowError('missing-field', column)
  return String(id)
}

/**
 * The line of one horse: what a bet at a starting price (decimal odds) is paid, before commission, in cents for a stake of 10;
 * `share` of the stake is on the horse, from 0 to 1, less than 1 after a dead heat. Without a price or a share it is unknown.
 */
export function exchangeLine(
  raceId: string,
  gameplayClass: GameplayClass,
  horseNo: number,
  { price, share = 1 }: { price: number | null; share?: number | null },
): DividendDraft {
  const { key: pool } = gameplayOf(gameplayClass)
  const line = { raceId, pool, gameplayClass, combination: String(horseNo) }
  if (price === null || share === null) return { ...line, status: 'unknown', dividendCents: null }
  return { ...line, status: 'paid', dividendCents: Math.round(price * STAKE_CENTS * share) }
}
