import { useDeferredValue, useMemo, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { ColumnHeadings } from '../../ui/layout.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { MONTH_TICKS, profitAxes, profitDays, profitLine, type ProfitDay } from '../query/profit-days.ts'
import { DAYS, TOTAL } from '../query/requests.ts'
import { Timeline } from '../parts/timeline.tsx'
import { judge } from '../query/totals.ts'
import type { Brush } from '../query/use-brush.ts'
import { useCaption } from '../words/use-caption.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { Scrolled } from '../parts/scrolled.tsx'
import tables from '../parts/table.module.css'
import styles from './profit-panel.module.css'

interface ProfitPanelProps {
  slice: SliceAnswer
  brush: Brush
  /** Height of the chart, in pixels. */
  height: number
  model: string
  onMonths(from: string | null, to: string | null): void
}

/** Cumulative profit with its peak so far, and the months below it as a brush. */
export function ProfitPanel({ slice, brush, height, model, onMonths }: ProfitPanelProps) {
  // The chart is rendered after the figures, because it takes as long as everything else together.
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
        <Curve days={days} height={height} picture={picture} />
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
  height: number
  picture: ChartPicture
}

function Curve({ days, height, picture }: CurveProps) {
  const intl = useIntl()
  const format = useFormat()
  const wide = useWide()
  const chart = useMemo(() => {
    const peak = intl.formatMessage({ id: 'workspace.peak' })
    const last = days.at(-1)!
    return {
      label: intl.formatMessage(
        { id: 'workspace.curveSummary' },
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
        profitLine(intl.formatMessage({ id: 'record.profitToDate' }), 'accent', days, format),
      ],
      ...profitAxes(days, [days], format, wide ? MONTH_TICKS.wide : MONTH_TICKS.narrow),
    }
  }, [days, format, intl, wide])
  return <Chart {...chart} height={height} picture={picture} />
}

function DayTable({ days }: { days: ProfitDay[] }) {
  const intl = useIntl()
  const format = useFormat()
  // Rendered only when expanded: hundreds of rows that few users open.
  const [open, setOpen] = useState(false)
  return (
    <details className={styles.twin} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <FormattedMessage id="record.asTable" />
      </summary>
      <Scrolled label={intl.formatMessage({ id: 'record.profitOverTime' })}>
        <table className={tables.table}>
          <ColumnHeadings
            ids={['record.day', 'record.predictions', 'record.hits', 'record.profit', 'record.profitToDate']}
          />
          <tbody>
            {(open ? days.toReversed() : []).map((day) => (
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
      </Scrolled>
    </details>
  )
}
