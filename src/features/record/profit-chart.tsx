import { useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { RecordDayRow, RecordFilter } from '../../../contract/queries.ts'
import { useEngineQuery } from '../../data/use-engine.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { Heads } from '../../ui/heads.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { useWide } from '../../ui/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import { evenly } from '../../widgets/chart/evenly.ts'
import { judge } from './judgement.ts'
import styles from './record.module.css'

const HEIGHT = 280
const TICKS = { wide: 5, narrow: 3 }

export function ProfitChart({ filter }: { filter: RecordFilter }) {
  const days = useEngineQuery('record_days', { filter })
  return (
    <Panel title={<FormattedMessage id="record.profitOverTime" />}>
      {days.error ? (
        <ErrorNotice error={days.error} />
      ) : days.data ? (
        <ProfitOverTime days={days.data.rows} />
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </Panel>
  )
}

function ProfitOverTime({ days }: { days: RecordDayRow[] }) {
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
          y: days.map((day) => day.profit_to_date_cents / 100),
          hover: days.map(
            (day) => `${format.longDay(day.day)}<br>${format.signedMoney(day.profit_to_date_cents)}`,
          ),
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
  const sum = (of: (day: RecordDayRow) => number): number => days.reduce((total, day) => total + of(day), 0)
  const { trust } = judge({
    stake_cents: sum((day) => day.stake_cents),
    hits: sum((day) => day.hits),
    unknown_hits: sum((day) => day.unknown_hits),
  })
  if (days.length === 0) return <FormattedMessage id="record.empty" tagName="p" />
  if (trust === 'incomplete') return <FormattedMessage id="record.noProfitChart" tagName="p" />
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

function DayTable({ days, format }: { days: RecordDayRow[]; format: Format }) {
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
              <td>{format.signedMoney(day.profit_cents)}</td>
              <td>{format.signedMoney(day.profit_to_date_cents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Round amounts of HK$ over the range of the profit. */
function moneyTicks(days: readonly RecordDayRow[], format: Format): { at: number[]; text: string[] } {
  const values = days.map((day) => day.profit_to_date_cents / 100)
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  const rough = (high - low || 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1)
  const at: number[] = []
  for (let value = Math.ceil(low / step) * step; value <= high + step / 2; value += step) at.push(value)
  return { at, text: at.map((value) => format.integer(value)) }
}
