import { numberOf, textOf, type AnswerRow } from '../cells.ts'
import { inKeyOrder } from './requests.ts'
import { countOf } from './totals.ts'

/** Race days, each with its sums, the cumulative profit and its peak so far; amounts in cents. */
export function profitDays(rows: readonly AnswerRow[]) {
  let profitToDate = 0
  let peak = 0
  return inKeyOrder(rows).map((row) => {
    const profit = numberOf(row, 'profit')
    profitToDate += profit
    peak = Math.max(peak, profitToDate)
    const [count, hits] = [countOf(row), numberOf(row, 'hits')]
    return { day: textOf(row, 'key'), count, hits, profit, profitToDate, peak }
  })
}

export type ProfitDay = ReturnType<typeof profitDays>[number]
