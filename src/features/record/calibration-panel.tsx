import { useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { CalibrationRow, RecordFilter } from '../../../contract/queries.ts'
import { wilsonInterval } from '../../../domain/statistics.ts'
import { useEngineQuery } from '../../data/use-engine.ts'
import { useFormat } from '../../i18n/format.ts'
import { Heads } from '../../ui/heads.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import styles from './record.module.css'

const HEIGHT = 280
const TICK_STEPS = [0.02, 0.05, 0.1, 0.2]

/** What was expected against what happened: points on the diagonal are honest probabilities. */
export function CalibrationPanel({ filter }: { filter: RecordFilter }) {
  const answer = useEngineQuery('record_calibration', { filter })
  return (
    <Panel title={<FormattedMessage id="record.reliability" />}>
      {answer.error ? (
        <ErrorNotice error={answer.error} />
      ) : answer.data ? (
        <Reliability bins={answer.data.rows} />
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </Panel>
  )
}

function Reliability({ bins }: { bins: CalibrationRow[] }) {
  const intl = useIntl()
  const format = useFormat()
  const chart = useMemo(() => {
    const title = intl.formatMessage({ id: 'record.reliability' })
    const rates = bins.map((bin) => bin.hits / bin.predictions)
    const intervals = bins.map((bin) => wilsonInterval(bin.hits, bin.predictions)!)
    const top = Math.max(
      0.1,
      ...bins.map((bin) => bin.mean_probability),
      ...intervals.map(({ high }) => high),
    )
    const step = TICK_STEPS.find((each) => top / each <= 6) ?? 0.2
    const at = Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step)
    const ticks = { at, text: at.map((value) => format.percent(value, 0)) }
    return {
      label: title,
      series: [
        { kind: 'line' as const, name: '', tone: 'soft' as const, x: [0, top], y: [0, top], hover: ['', ''] },
        {
          kind: 'points' as const,
          name: title,
          tone: 'accent' as const,
          x: bins.map((bin) => bin.mean_probability),
          y: rates,
          hover: bins.map((bin, index) =>
            intl.formatMessage(
              { id: 'record.binHover' },
              {
                expected: format.percent(bin.mean_probability),
                happened: format.percent(rates[index]!),
                count: format.integer(bin.predictions),
              },
            ),
          ),
          error: {
            up: intervals.map(({ high }, index) => high - rates[index]!),
            down: intervals.map(({ low }, index) => rates[index]! - low),
          },
        },
      ],
      x: { title: intl.formatMessage({ id: 'record.expected' }), ticks },
      y: { title: intl.formatMessage({ id: 'record.happened' }), ticks },
    }
  }, [bins, format, intl])
  if (bins.length === 0) return <FormattedMessage id="record.empty" tagName="p" />
  return (
    <>
      <Chart {...chart} height={HEIGHT} />
      <details className={styles.twin}>
        <summary>
          <FormattedMessage id="record.asTable" />
        </summary>
        <table className={styles.table}>
          <Heads ids={['record.expected', 'record.happened', 'record.predictions']} />
          <tbody>
            {bins.map((bin) => (
              <tr key={bin.bin}>
                <td>{format.percent(bin.mean_probability)}</td>
                <td>{format.percent(bin.hits / bin.predictions)}</td>
                <td>{format.integer(bin.predictions)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
