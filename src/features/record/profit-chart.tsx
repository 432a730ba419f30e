import { useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { numberOf, textOf } from '../../data/analytics/cells.ts'
import type { AnswerRow, Rows } from '../../data/analytics/decode.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { Heads } from '../../ui/heads.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWide } from '../../ui/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import { evenly } from '../../widgets/chart/evenly.ts'
import { PANELS, panelRows } from './record-requests.ts'
import { judge } from './totals.ts'
import styles from './record.module.css'

const HEIGHT = 280
const TICKS = { wide: 5, narrow: 3 }

/** One race day; the profit runs over the days before it. */
interface Day {
  day: string
  predictions: number
  hits: number
  profit: number
  profitToDate: number
}

function daysOf(rows: readonly AnswerRow[]): Day[] {
  let profitToDate = 0
  return rows
    .toSorted((a, b) => (textOf(a, 'key') < textOf(b, 'key') ? -1 : 1))
    .map((row) => {
      profitToDate += numberOf(row, 'profit')
      return {
        day: textOf(row, 'key'),
        predictions: numberOf(row, 'predictions'),
        hits: numberOf(row, 'hits'),
        profit: numberOf(row, 'profit'),
        profitToDate,
      }
    })
}

export function ProfitChart({ answer, stale }: { answer: Rows; stale: boolean }) {
  const days = useMemo(() => daysOf(panelRows(answer, PANELS.days)), [answer])
  const total = panelRows(answer, PANELS.total)[0]
  return (
    <Panel title={<FormattedMessage id="record.profitOverTime" />}>
      <div className={stale ? styles.stale : ''} data-painted={answer.asOf}>
        <ProfitOverTime days={days} complete={total === undefined || judge(total).trust !== 'incomplete'} />
      </div>
    </Panel>
  )
}

function ProfitOverTime({ days, complete }: { days: Day[]; complete: boolean }) {
  const intl = useIntl()
  const format = useFormat()
  const wide = useWide()
  const chart = useMemo(() => {
    const title = intl.formatMessage({ id: 'record.profitToDate' })
    const ticks = evenly(days, wide ? TICKS.wide : TICKS.narrow)
    return {
      label: title,
      series: [
        {
          kind: 'line' as const,
          name: title,
          tone: 'accent' as const,
          x: days.map(({ day }) => day),
          y: days.map((day) => day.profitToDate / 100),
          hover: days.map((day) => `${format.longDay(day.day)}<br>${format.signedMoney(day.profitToDate)}`),
        },
      ],
      x: {
        title: '',
        ticks: {
          at: ticks.map(({ day }) => day),
          text: ticks.map(({ day }) => format.month(day.slice(0, 7))),
        },
      },
      y: { title: '', ticks: moneyTicks(days, format), zero: true },
    }
  }, [days, format, intl, wide])
  if (days.length === 0) return <FormattedMessage id="record.empty" tagName="p" />
  if (!complete) return <FormattedMessage id="record.noProfitChart" tagName="p" />
  return (
    <>
      <Chart {...chart} height={HEIGHT} />
      <details className={styles.twin}>
        <summary>
          <FormattedMessage id="record.asTable" />
        </summary>
        <DayTable days={days} format={format} />
      </details>
    </>
  )
}

function DayTable({ days, format }: { days: Day[]; format: Format }) {
  const intl = useIntl()
  return (
    <div
      className={`${styles.scroll} ${styles.tall}`}
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
  )
}

/** Round amounts of HK$ over the range of the profit. */
function moneyTicks(days: readonly Day[], format: Format): { at: number[]; text: string[] } {
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
