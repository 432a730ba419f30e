import { numberOf, textOf, type AnswerRow } from '../../data/analytics/cells.ts'
import type { Format } from '../../i18n/format.ts'
import { monthsBetween } from '../../widgets/chart/months-between.ts'
import type { Axis, Series, Tone } from '../../widgets/chart/figure.ts'

/** One race day, with the cumulative profit and its peak so far. */
export interface ProfitDay {
  day: string
  predictions: number
  hits: number
  profit: number
  profitToDate: number
  peak: number
}

export function profitDays(rows: readonly AnswerRow[]): ProfitDay[] {
  let profitToDate = 0
  let peak = 0
  return rows
    .toSorted((a, b) => (textOf(a, 'key') < textOf(b, 'key') ? -1 : 1))
    .map((row) => {
      profitToDate += numberOf(row, 'profit')
      peak = Math.max(peak, profitToDate)
      return {
        day: textOf(row, 'key'),
        predictions: numberOf(row, 'predictions'),
        hits: numberOf(row, 'hits'),
        profit: numberOf(row, 'profit'),
        profitToDate,
        peak,
      }
    })
}

/** A line of cumulative profit, in HK$. */
export const profitLine = (name: string, tone: Tone, days: readonly ProfitDay[], format: Format): Series => ({
  kind: 'line',
  name,
  tone,
  x: days.map(({ day }) => day),
  y: days.map(({ profitToDate }) => profitToDate / 100),
  hover: days.map(
    (day) => `${name}<br>${format.longDay(day.day)}<br>${format.signedMoney(day.profitToDate)}`,
  ),
})

/** Number of month labels that fit below a chart. */
export const MONTH_TICKS = { wide: 7, narrow: 3 } as const

/** Axes of cumulative profit: months and amounts; `first` must contain the days of all lines. */
export function profitAxes(
  first: readonly ProfitDay[],
  lines: readonly (readonly ProfitDay[])[],
  format: Format,
  monthTicks: number,
): { x: Axis; y: Axis } {
  const months = monthsBetween(first[0]?.day, first.at(-1)?.day, monthTicks)
  return {
    x: {
      title: '',
      ticks: {
        at: months,
        text: months.map((day) => format.month(day.slice(0, 7))),
      },
    },
    y: { title: '', ticks: moneyTicks(lines.flat(), format), zero: true },
  }
}

/** Round amounts of HK$ over the range of the profit. */
function moneyTicks(days: readonly ProfitDay[], format: Format): { at: number[]; text: string[] } {
  const values = days.map((day) => day.profitToDate / 100)
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  const rough = (high - low || 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1)
  const at: number[] = []
  for (let value = Math.ceil(low / step) * step; value <= high + step / 2; value += step) at.push(value)
  return { at, text: at.map((value) => format.integer(value)) }
}
