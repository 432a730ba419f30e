import { useIntl } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { oddsAt, type MarketLine } from '../../../domain/odds-replay.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'

/** A time before the race, given in minutes, in words: days and hours where minutes would say little. */
export function useMinutesText(): (minutes: number) => string {
  const intl = useIntl()
  const format = useFormat()
  return (minutes) =>
    intl.formatMessage(
      { id: 'market.before' },
      minutes >= 2880
        ? { unit: 'days', count: format.integer(Math.round(minutes / 1440)) }
        : minutes >= 120
          ? { unit: 'hours', count: format.integer(Math.round(minutes / 60)) }
          : { unit: minutes <= 0 ? 'off' : 'minutes', count: format.integer(Math.round(minutes)) },
    )
}

export const HEIGHT = 280
/** Colours of the highlighted horses, in this order. */
export const TONES = ['series-1', 'series-2', 'series-3', 'series-4'] as const

const ROUND_ODDS = [1.1, 1.5, 2, 3, 5, 8, 12, 20, 30, 50, 99, 200, 500]
const ROUND_MINUTES = [11_520, 7200, 4320, 2880, 1440, 720, 480, 240, 120, 60, 45, 30, 15, 10, 5, 2]

/** A logarithmic axis of odds, so that a fall from 20 to 10 is as long as one from 4 to 2. */
function logAxis(odds: readonly number[]): { from: number; to: number; ticks: number[] } {
  const from = Math.min(...odds) * 0.92
  const to = Math.max(...odds) * 1.08
  return { from, to, ticks: ROUND_ODDS.filter((tick) => tick >= from && tick <= to) }
}

/**
 * Round minutes (negative before post time) from `from` to 0, spaced so that at most about `most` labels fit.
 */
function minuteTicks(from: number, most: number): number[] {
  const least = -from / most
  const ticks = [0]
  for (const minutes of ROUND_MINUTES.toReversed()) {
    if (minutes <= -from && minutes + ticks.at(-1)! >= least) ticks.push(-minutes)
  }
  return ticks.toReversed()
}

interface MarketChartProps {
  lines: readonly MarketLine[]
  /** Horses' names by number. */
  names: ReadonlyMap<number | null, string>
  /** Numbers of the highlighted horses, at most as many as `TONES`. */
  highlighted: readonly number[]
  /** Instants in milliseconds since 1970: where the chart starts and ends, the shown moment, and post time. */
  from: number
  until: number
  at: number
  off: number
}

/** What a line shows from the start of the chart to the shown moment. */
function pointsOf(line: MarketLine, from: number, at: number): { at: number; odds: number }[] {
  const before = oddsAt(line.ticks, from)
  const points = [
    ...(before === null ? [] : [{ at: from, odds: before }]),
    ...line.ticks.filter((tick) => tick.at > from && tick.at <= at),
  ]
  // A line extends as far as the others even if its odds did not change.
  const last = points.at(-1)
  return last && last.at < at ? [...points, { at, odds: last.odds }] : points
}

/** The odds of every horse up to the shown moment, the highlighted ones in colour and on top. */
export function MarketChart({ lines, names, highlighted, from, until, at, off }: MarketChartProps) {
  const intl = useIntl()
  const format = useFormat()
  const minutesText = useMinutesText()
  const wide = useWide()
  const x = minuteTicks((from - off) / 60_000, wide ? 6 : 4)
  const y = logAxis(lines.flatMap(({ ticks }) => ticks.map(({ odds }) => odds)))
  const series = lines
    .toSorted(
      (a, b) => Number(highlighted.includes(a.horseNumber)) - Number(highlighted.includes(b.horseNumber)),
    )
    .map((line) => {
      const points = pointsOf(line, from, at)
      const name = `${line.horseNumber} ${names.get(line.horseNumber) ?? ''}`
      return {
        kind: 'stairs' as const,
        name,
        tone: TONES[highlighted.indexOf(line.horseNumber)] ?? ('soft' as const),
        x: points.map((point) => (point.at - off) / 60_000),
        y: points.map(({ odds }) => odds),
        hover: points.map(
          (point) => `${name}<br>${format.odds(point.odds)} · ${minutesText((off - point.at) / 60_000)}`,
        ),
      }
    })
  return (
    <Chart
      label={intl.formatMessage({ id: 'market.title' })}
      series={series}
      x={{
        title: '',
        range: [(from - off) / 60_000, Math.max(0, (until - off) / 60_000)],
        ticks: { at: x, text: x.map((minutes) => minutesText(-minutes)) },
      }}
      y={{
        title: '',
        logarithmic: true,
        range: [y.from, y.to],
        ticks: { at: y.ticks, text: y.ticks.map((tick) => format.odds(tick)) },
      }}
      height={HEIGHT}
      legend={false}
    />
  )
}
