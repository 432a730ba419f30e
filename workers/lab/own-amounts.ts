import type { RowsPage } from '../../analytics/engine-api.ts'
import type { LabResult } from '../../analytics/lab-api.ts'
import { ownValue, type OwnSlot } from '../../analytics/own-slots.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { BetIdentities } from './bet-columns.ts'
import { readPage } from './read-page.ts'

/** The reader's own numbers of one column, for each row that was loaded; NaN where there is none. */
export class OwnAmounts {
  readonly numbers: Float64Array
  private readonly column: OwnSlot
  private readonly bets: Pick<BetIdentities, 'raceIds'>
  private row = 0

  constructor(column: OwnSlot, bets: Pick<BetIdentities, 'raceIds'>) {
    this.column = column
    this.bets = bets
    this.numbers = new Float64Array(bets.raceIds.length).fill(Number.NaN)
  }

  /**
   * Adds rows and returns how many there were. Throws `busy` if they are not those of the bets, because the files were
   * rebuilt meanwhile.
   */
  add({ bytes }: RowsPage): number {
    const { rows, column } = readPage(bytes)
    const [raceIds, values] = [column('race_id'), column(ownValue(this.column))]
    for (let row = 0; row < rows; row += 1) {
      if (String(raceIds.get(row)) !== this.bets.raceIds[this.row]) throw new FurlongError('busy')
      const value: unknown = values.get(row)
      if (typeof value === 'number') this.numbers[this.row] = value
      this.row += 1
    }
    return rows
  }
}

/** Of the chosen bets those on which a column stakes nothing, by what it has. */
export function unstakedBy(amounts: Float64Array, chosen: Uint8Array): NonNullable<LabResult['column']> {
  const counts = { missing: 0, negative: 0, zero: 0 }
  for (const [bet, amount] of amounts.entries()) {
    if (!chosen[bet] || amount > 0) continue
    counts[Number.isNaN(amount) ? 'missing' : amount < 0 ? 'negative' : 'zero'] += 1
  }
  return counts
}
