import type { FileColumn } from '../../../analytics/file-columns.ts'
import type { LabBet } from '../../../analytics/lab-api.ts'
import { FurlongError } from '../../../domain/errors.ts'
import type { Collection } from '../../data/analytics/all-rows.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'

/** What a file of bets has beside the columns of a row: the odds that chose the bet, and cents. */
export const BET_COLUMNS = [
  { name: 'odds_used', type: 'DOUBLE' },
  { name: 'stake_cents', type: 'BIGINT' },
] as const satisfies readonly FileColumn[]

/** The columns of a file of bets: those of a row, with the stakes before the outcome. */
export const withStakes = (columns: readonly string[]): string[] =>
  columns.flatMap((column) =>
    column === 'outcome' ? [...BET_COLUMNS.map(({ name }) => name), column] : [column],
  )

/** What a file of boxes has beside the columns of their races. */
export const BOX_COLUMNS = [
  { name: 'bet_type', type: 'INTEGER' },
  { name: 'combination', type: 'VARCHAR' },
  { name: 'combinations', type: 'INTEGER' },
  { name: 'expected_winners', type: 'DOUBLE' },
  { name: 'stake_cents', type: 'BIGINT' },
  { name: 'outcome', type: 'VARCHAR' },
  { name: 'profit_cents', type: 'BIGINT' },
] as const satisfies readonly FileColumn[]

/** The rows of a file, of any form. */
type RowsFile = Collection & { file(): Blob }

/**
 * Of all rows that the lab loaded those on which a bet was placed, with its stake, its profit and the probability that it
 * was chosen by; of boxes those of the races that have one. `bets`: in the order of the rows. Throws `busy` if the rows are not those that the lab loaded, because
 * the files were rebuilt meanwhile.
 */
export class PlacedRows implements RowsFile {
  private readonly bets: readonly LabBet[]
  private readonly into: RowsFile
  private readonly isBox: boolean
  private row = 0
  private next = 0

  /** `isBox`: the bets are boxes, and the rows are of their races. */
  constructor(bets: readonly LabBet[], into: RowsFile, isBox: boolean) {
    this.bets = bets
    this.into = into
    this.isBox = isBox
  }

  add(rows: readonly AnswerRow[]): void {
    const placed: AnswerRow[] = []
    for (const row of rows) {
      const bet = this.bets[this.next]
      if (bet?.at === this.row) {
        if (row['race_id'] !== bet.raceId || !(this.isBox || isOn(row, bet))) throw new FurlongError('busy')
        placed.push({ ...row, ...(this.isBox ? boxCells(bet) : betCells(bet)) })
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

/** Whether a bet is on the horses of a row. */
const isOn = (row: AnswerRow, { combination }: LabBet): boolean =>
  String(row['combination'] ?? row['horse_no']) === combination

const betCells = ({ probability, odds, stake, profit }: LabBet): AnswerRow => ({
  probability,
  odds_used: odds,
  stake_cents: stake,
  profit_cents: profit,
})

const boxCells = (bet: LabBet): Record<(typeof BOX_COLUMNS)[number]['name'], AnswerRow['']> => ({
  bet_type: bet.betType,
  combination: bet.combination,
  combinations: bet.combinations,
  expected_winners: bet.probability,
  stake_cents: bet.stake,
  outcome: bet.outcome,
  profit_cents: bet.profit,
})
