import { useDeferredValue, useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { numberOf, textOf } from '../data/analytics/cells.ts'
import type { AnswerRow } from '../data/analytics/decode.ts'
import { useFormat, type Format } from '../i18n/format.ts'
import { Heads } from '../ui/heads.tsx'
import { useWide } from '../ui/use-wide.ts'
import { Chart } from '../widgets/chart/chart.tsx'
import type { ChartPicture } from '../widgets/chart/download.ts'
import { evenly } from '../widgets/chart/evenly.ts'
import { DAYS, TOTAL } from './requests.ts'
import { Timeline } from './timeline.tsx'
import { judge } from './totals.ts'
import type { Brush } from './use-brush.ts'
import { useCaption } from './use-caption.ts'
import type { SliceAnswer } from './use-slice.ts'
import styles from './panels.module.css'

const HEIGHT = 220
const TICKS = { wide: 7, narrow: 3 }

/** One race day; the profit runs over the days before it, and the peak is the highest that it was. */
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

interface ProfitPanelProps {
  slice: SliceAnswer
  brush: Brush
  model: string
  /** Other lines on the same days. */
  others?: readonly { name: string; rows: readonly AnswerRow[] }[]
  onMonths(from: string | null, to: string | null): void
}

const NO_OTHERS: [] = []

/** Profit to date with its highest so far, and the months below it as a brush. */
export function ProfitPanel({ slice, brush, model, others, onMonths }: ProfitPanelProps) {
  // The chart is drawn after the figures: it takes as long as everything else together.
  const rows = useDeferredValue(slice.rows[DAYS])
  const days = useMemo(() => profitDays(rows ?? []), [rows])
  const picture = useCaption(slice, model, 'profit')
  const total = slice.rows[TOTAL]?.[0]
  const complete = total === undefined || judge(total).trust !== 'incomplete'
  return (
    <div data-painted={slice.answer.asOf}>
      {days.length === 0 ? (
        <FormattedMessage id="record.empty" tagName="p" />
      ) : complete ? (
        <Curve days={days} others={others ?? NO_OTHERS} picture={picture} />
      ) : (
        <FormattedMessage id="record.noProfitChart" tagName="p" />
      )}
      <Timeline slice={slice} brush={brush} onMonths={onMonths} />
      {days.length > 0 && complete ? <DayTable days={days} /> : null}
    </div>
  )
}

interface CurveProps {
  days: ProfitDay[]
  others: NonNullable<ProfitPanelProps['others']>
  picture: ChartPicture
}

function Curve({ days, others, picture }: CurveProps) {
  const intl = useIntl()
  const format = useFormat()
  const wide = useWide()
  const chart = useMemo(() => {
    const title = intl.formatMessage({ id: 'record.profitToDate' })
    const peak = intl.formatMessage({ id: 'workspace.peak' })
    const ticks = evenly(days, wide ? TICKS.wide : TICKS.narrow)
    const last = days.at(-1)!
    const lines = [
      { name: title, days, tone: 'accent' as const },
      ...others.map(({ name, rows }, index) => ({
        name,
        days: profitDays(rows),
        tone: (['series-2', 'series-3', 'series-4'] as const)[index % 3]!,
      })),
    ]
    return {
      label: intl.formatMessage(
        { id: 'workspace.curveTold' },
        {
          days: days.length,
          from: format.day(days[0]!.day),
          to: format.day(last.day),
          profit: format.signedMoney(last.profitToDate),
          peak: format.signedMoney(last.peak),
        },
      ),
      series: [
        {
          kind: 'line' as const,
          name: peak,
          tone: 'soft' as const,
          x: days.map(({ day }) => day),
          y: days.map((day) => day.peak / 100),
          hover: days.map((day) => `${peak}: ${format.signedMoney(day.peak)}`),
        },
        ...lines.map((line) => ({
          kind: 'line' as const,
          name: line.name,
          tone: line.tone,
          x: line.days.map(({ day }) => day),
          y: line.days.map((day) => day.profitToDate / 100),
          hover: line.days.map(
            (day) => `${line.name}<br>${format.longDay(day.day)}<br>${format.signedMoney(day.profitToDate)}`,
          ),
        })),
      ],
      x: {
        title: '',
        ticks: {
          at: ticks.map(({ day }) => day),
          text: ticks.map(({ day }) => format.month(day.slice(0, 7))),
        },
      },
      y: {
        title: '',
        ticks: moneyTicks(
          lines.flatMap((line) => line.days),
          format,
        ),
        zero: true,
      },
    }
  }, [days, others, format, intl, wide])
  return <Chart {...chart} height={HEIGHT} picture={picture} />
}

function DayTable({ days }: { days: ProfitDay[] }) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <details className={styles.twin}>
      <summary>
        <FormattedMessage id="record.asTable" />
      </summary>
      <div
        className={styles.scroll}
        tabIndex={0}
        role="region"
        aria-label={intl.formatMessage({ id: 'record.profitOverTime' })}
      >
        <table className={styles.table}>
          <Heads
            ids={['record.day', 'record.predictions', 'record.hits', 'record.profit', 'record.profitToDate']}
          />
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.day}>
                <td>{format.day(day.day)}</td>
                <td>{format.integer(day.predictions)}</td>
                <td>{format.integer(day.hits)}</td>
                <td>{format.signedMoney(day.profit)}</td>
                <td>{format.signedMoney(day.profitToDate)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

/** Round amounts of HK$ over the range of the profit. */
export function moneyTicks(days: readonly ProfitDay[], format: Format): { at: number[]; text: string[] } {
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
