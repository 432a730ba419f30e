import { groupBy } from '../../../domain/group-by.ts'
import type { PairedGroup } from '../../../domain/statistics.ts'
import { numberOf, textOf, type AnswerRow } from '../../../analytics/cells.ts'

/** The rows of both slices that are compared. */
export interface Sides {
  a: readonly AnswerRow[]
  b: readonly AnswerRow[]
}

type Sums = PairedGroup['a']

const added = (rows: readonly AnswerRow[], ratio: (row: AnswerRow) => Sums): Sums =>
  rows.map(ratio).reduce(
    (sum, each) => ({
      numerator: sum.numerator + each.numerator,
      denominator: sum.denominator + each.denominator,
    }),
    { numerator: 0, denominator: 0 },
  )

/** Profit and stakes. */
export const returnOf = (row: AnswerRow): Sums => ({
  numerator: numberOf(row, 'profit'),
  denominator: numberOf(row, 'staked'),
})

/**
 * Sums of a ratio by meeting, for both slices; a meeting of one of them adds nothing to the other. `column`: that with the
 * meeting of a row.
 */
export function byMeeting(
  { a, b }: Sides,
  column: 'key' | 'meeting',
  ratio: (row: AnswerRow) => Sums,
): PairedGroup[] {
  const [ofA, ofB] = [a, b].map((rows) => groupBy(rows, (row) => textOf(row, column)))
  return [...new Set([...ofA!.keys(), ...ofB!.keys()])].map((meeting) => ({
    a: added(ofA!.get(meeting) ?? [], ratio),
    b: added(ofB!.get(meeting) ?? [], ratio),
  }))
}
