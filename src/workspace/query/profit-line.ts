import type { Format } from '../../i18n/format.ts'
import type { ProfitDay } from '../../../analytics/view/profit-days.ts'
import { roundStep } from '../../widgets/chart/round-step.ts'
import { monthsBetween } from '../../widgets/chart/months-between.ts'
import type { Axis, Series } from '../../widgets/chart/series.ts'
import type { Tone } from '../../widgets/chart/marks.ts'

/** A line of cumulative profit, in units of the region’s currency. */
export const profitLine = (name: string, tone: Tone, days: readonly ProfitDay[], format: Format): Series => ({
  kind: 'line',
  name,
  tone,
  x: days.map(({ day }) => day),
  y: days.map(({ profitToDate }) => profitToDate / 100),
  end: format.signedMoney(days.at(-1)?.profitToDate ?? 0),
  hover: days.map((day) => `${name}\n${format.longDay(day.day)}\n${format.signedMoney(day.profitToDate)}`),
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
  const at = monthsBetween(first[0]?.day, first.at(-1)?.day, monthTicks)
  return {
    x: { title: '', ticks: { at, text: at.map((day) => format.month(day.slice(0, 7))) } },
    y: { title: '', ticks: moneyTicks(lines.flat(), format), zero: true },
  }
}

/** Round amounts over the range of the profit. */
function moneyTicks(days: readonly ProfitDay[], format: Format): { at: number[]; text: string[] } {
  const values = days.map((day) => day.profitToDate / 100)
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  const step = roundStep((high - low || 1) / 4)
  const at: number[] = []
  for (let value = Math.ceil(low / step) * step; value <= high + step / 2; value += step) at.push(value)
  // The highest amount says the currency.
  const text = at.map((value, index) =>
    index < at.length - 1 ? format.integer(value) : format.money(value * 100).replace(/\D00$/, ''),
  )
  return { at, text }
}
