import { MODELS } from '../../../analytics/models.ts'
import { numberOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { BET_SUMS, countName, withReturnBounds } from '../query/totals.ts'
import type { Subject } from '../state/view.ts'

/** The sums that are compared. */
export const sumNames = (subject: Subject): string[] => [MODELS[subject].rows, 'voids', ...BET_SUMS]

/** The sums of rows, with their return and its bounds. */
export const sumsOf = (rows: readonly AnswerRow[]): AnswerRow => {
  const sums: AnswerRow = Object.fromEntries(
    [countName(rows[0] ?? {}), 'voids', ...BET_SUMS].map((name) => [
      name,
      rows.reduce((sum, row) => sum + numberOf(row, name), 0),
    ]),
  )
  const staked = numberOf(sums, 'staked')
  return withReturnBounds({ ...sums, return: staked === 0 ? null : numberOf(sums, 'profit') / staked })
}
