import { memo, useDeferredValue, useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { pickedRange, pickedValues, type Range } from '../../../analytics/clauses.ts'
import { textOf } from '../../../analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { BrushStrip } from '../parts/brush-strip.tsx'
import { FigureTable } from '../parts/scrolled.tsx'
import { MONTH_TICKS, profitAxes, profitLine } from '../query/profit-line.ts'
import { profitDays, type ProfitDay } from '../../../analytics/view/profit-days.ts'
import { DAYS, inKeyOrder, TIMELINE, TOTAL } from '../../../analytics/view/requests.ts'
import { countOf, judge } from '../../../analytics/view/totals.ts'
import type { ViewProps } from '../query/use-brush.ts'
import { subjectWords } from '../words/subject-words.ts'
import { useCaption } from '../words/use-caption.ts'
import styles from './profit-panel.module.css'

interface ProfitPanelProps extends ViewProps {
  /** Height of the chart, in pixels. */
  height: number
  /** Where the chart puts what saves it, for the menu of the panel. */
  saver: ChartPicture['saver']
  /** Selects months; without ends, all of them. */
  onMonths(months: Range): void
}

/** Cumulative profit with its peak so far, and the months below it as a brush. */
export function ProfitPanel({ slice, brush, height, model, saver, onMonths }: ProfitPanelProps) {
  // The chart is rendered after the figures, because it takes as long as everything else together.
  const rows = useDeferredValue(slice.rows[DAYS])
  const days = useMemo(() => profitDays(rows ?? []), [rows])
  const picture = { ...useCaption(slice, model, 'profit'), saver }
  const total = slice.rows[TOTAL]?.[0]
  const complete = total === undefined || judge(total).trust !== 'incomplete'
  return (
    <div data-painted={slice.answer.asOf}>
      {days.length === 0 ? (
        <FormattedMessage id="record.empty" tagName="p" />
      ) : complete ? (
        <Curve days={days} height={height} picture={picture} />
      ) : (
        <FormattedMessage id="record.noProfitChart" tagName="p" />
      )}
      <Timeline slice={slice} brush={brush} onMonths={onMonths} />
      {days.length > 0 && complete ? (
        <DayTable days={days} words={subjectWords(slice.slice.subject)} />
      ) : null}
    </div>
  )
}

const TIMELINE_HEIGHT = 40

/** Predictions by month, as a time axis that a drag filters by. */
const Timeline = memo(function Timeline({
  slice,
  brush,
  onMonths,
}: Omit<ProfitPanelProps, 'height' | 'model' | 'saver'>) {
  const word = useWord()
  const format = useFormat()
  const rows = useMemo(() => inKeyOrder(slice.rows[TIMELINE]), [slice.rows])
  const months = rows.map((row) => textOf(row, 'key'))
  const range = pickedRange(slice.slice.filter, 'month')
  const picked = pickedValues(slice.slice.filter, 'month')
  const isInside = (month: string): boolean =>
    range
      ? (range.from === undefined || month >= String(range.from)) &&
        (range.to === undefined || month <= String(range.to))
      : picked.includes(month)
  const [first, last] = [months.findIndex(isInside), months.findLastIndex(isInside)]
  return (
    <BrushStrip
      label={word('dimension.month')}
      items={rows.map((row, index) => ({
        key: months[index]!,
        label: format.month(months[index]!),
        count: countOf(row),
      }))}
      span={first < 0 ? null : { first, last }}
      height={TIMELINE_HEIGHT}
      onEnter={() => brush.prepare('month')}
      onMove={(span) => brush.move('month', months[span.first]!, months[span.last]!)}
      onCancel={brush.end}
      onChange={(span) => {
        brush.end()
        onMonths(span === null ? {} : { from: months[span.first]!, to: months[span.last]! })
      }}
    />
  )
})

type CurveProps = Pick<ProfitPanelProps, 'height'> & { days: ProfitDay[]; picture: ChartPicture }

function Curve({ days, height, picture }: CurveProps) {
  const word = useWord()
  const format = useFormat()
  const wide = useWide()
  const chart = useMemo(() => {
    const peak = word('workspace.peak')
    const last = days.at(-1)!
    return {
      label: word('workspace.curveSummary', {
        days: days.length,
        from: format.day(days[0]!.day),
        to: format.day(last.day),
        profit: format.signedMoney(last.profitToDate),
        peak: format.signedMoney(last.peak),
      }),
      series: [
        {
          kind: 'line' as const,
          name: peak,
          tone: 'soft' as const,
          x: days.map(({ day }) => day),
          y: days.map((day) => day.peak / 100),
          end: format.signedMoney(last.peak),
          hover: days.map((day) => `${peak}: ${format.signedMoney(day.peak)}`),
        },
        profitLine(word('record.profitToDate'), 'accent', days, format),
      ],
      ...profitAxes(days, [days], format, wide ? MONTH_TICKS.wide : MONTH_TICKS.narrow),
    }
  }, [days, format, word, wide])
  return <Chart {...chart} height={height} picture={picture} />
}

interface DayTableProps {
  days: ProfitDay[]
  words: ReturnType<typeof subjectWords>
}

function DayTable({ days, words }: DayTableProps) {
  const word = useWord()
  const format = useFormat()
  // Rendered only when expanded: hundreds of rows that few users open.
  const [open, setOpen] = useState(false)
  return (
    <details className={styles.twin} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <FormattedMessage id="record.asTable" tagName="summary" />
      <FigureTable
        label={word('record.profitOverTime')}
        columns={{
          'record.day': ({ day }) => format.day(day),
          [words.count]: ({ count }) => format.integer(count),
          [words.hits]: ({ hits }) => format.integer(hits),
          'record.profit': ({ profit }) => format.signedMoney(profit),
          'record.profitToDate': ({ profitToDate }) => format.signedMoney(profitToDate),
        }}
        rows={open ? days.toReversed() : []}
        keyOf={({ day }) => day}
      />
    </details>
  )
}
