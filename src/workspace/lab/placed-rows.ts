import type { LabBet } from '../../../analytics/lab-api.ts'
import { FurlongError } from '../../../domain/errors.ts'
import type { Collection } from '../../data/analytics/all-rows.ts'
import type { AnswerRow } from '../../data/analytics/cells.ts'

/** What a file of bets has beside the columns of a row: the odds that chose the bet, and cents. */
export const STAKE_COLUMNS = ['odds_used', 'stake_cents'] as const

/** The columns of a file of bets: those of a row, with the stakes before the outcome. */
export const withStakes = (columns: readonly string[]): string[] =>
  columns.flatMap((column) => (column === 'outcome' ? [...STAKE_COLUMNS, column] : [column]))

/** The rows of a file, of any form. */
type RowsFile = Collection & { file(): Blob }

/**
 * Of all rows that the lab loaded those on which a bet was placed, with its stake, its profit and the probability that it
 * was chosen by. `bets`: in the order of the rows. Throws `busy` if the rows are not those that the lab loaded, because
 * the files were rebuilt meanwhile.
 */
export class PlacedRows implements RowsFile {
  private readonly bets: readonly LabBet[]
  private readonly into: RowsFile
  private row = 0
  private next = 0

  constructor(bets: readonly LabBet[], into: RowsFile) {
    this.bets = bets
    this.into = into
  }

  add(rows: readonly AnswerRow[]): void {
    const placed: AnswerRow[] = []
    for (const row of rows) {
      const bet = this.bets[this.next]
      if (bet?.at === this.row) {
        const combination = String(row['combination'] ?? row['horse_no'])
        if (row['race_id'] !== bet.raceId || combination !== bet.combination) throw new FurlongError('busy')
        placed.push({
          ...row,
          probability: bet.probability,
          odds_used: bet.odds,
          stake_cents: bet.stake,
          profit_cents: bet.profit,
        })
        this.next += 1
      }
      this.row += 1
    }
    this.into.add(placed)
  }

  file(): Blob {
    if (this.next < this.bets.length) throw new FurlongError('busy')
    return this.into.file()
  }
}
