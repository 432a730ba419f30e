import { useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import { intervalOf, numberOf, numberOrNull } from '../../data/analytics/cells.ts'
import type { AnswerRow } from '../../data/analytics/decode.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { Heads } from '../../ui/heads.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import styles from './record.module.css'

const HEIGHT = 280
const TICK_STEPS = [0.02, 0.05, 0.1, 0.2]

/** What was expected against what happened: points on the diagonal are honest probabilities. */
interface Bin {
  edge: string
  predictions: number
  mean: number
  rate: number
  low: number
  high: number
}

function binsOf(rows: readonly AnswerRow[]): Bin[] {
  return rows
    .flatMap((row) => {
      const rate = numberOrNull(row, 'hit_rate')
      const mean = numberOrNull(row, 'mean_probability')
      if (rate === null || mean === null) return []
      const interval = intervalOf(row, 'hit_rate') ?? { low: 0, high: 1 }
      const predictions = numberOf(row, 'predictions') - numberOf(row, 'voids')
      return [{ edge: String(row['probability']), predictions, mean, rate, ...interval }]
    })
    .toSorted((a, b) => a.mean - b.mean)
}

/** What was expected against what happened: points on the diagonal are honest probabilities. */
export function CalibrationPanel({ where }: { where: Filter }) {
  const answer = useAnalytics(
    {
      aggregate: {
        model: 'predictions',
        by: ['probability'],
        measures: ['predictions', 'voids', 'hit_rate', 'mean_probability'],
        where,
        intervals: true,
      },
    },
    { priority: 'visible' },
  )
  const bins = useMemo(() => binsOf(answer.data?.rows ?? []), [answer.data])
  return (
    <Panel title={<FormattedMessage id="record.reliability" />}>
      {answer.error ? (
        <ErrorNotice error={answer.error} />
      ) : answer.data ? (
        <div className={answer.isPlaceholderData ? styles.stale : ''}>
          <Reliability bins={bins} />
        </div>
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </Panel>
  )
}

function Reliability({ bins }: { bins: Bin[] }) {
  const intl = useIntl()
  const format = useFormat()
  const chart = useMemo(() => {
    const title = intl.formatMessage({ id: 'record.reliability' })
    const rates = bins.map(({ rate }) => rate)
    const top = Math.max(0.1, ...bins.map(({ mean }) => mean), ...bins.map(({ high }) => high))
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
          x: bins.map((bin) => bin.mean),
          y: rates,
          hover: bins.map((bin, index) =>
            intl.formatMessage(
              { id: 'record.binHover' },
              {
                expected: format.percent(bin.mean),
                happened: format.percent(rates[index]!),
                count: format.integer(bin.predictions),
              },
            ),
          ),
          error: {
            up: bins.map(({ high, rate }) => high - rate),
            down: bins.map(({ low, rate }) => rate - low),
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
              <tr key={bin.edge}>
                <td>{format.percent(bin.mean)}</td>
                <td>{format.percent(bin.rate)}</td>
                <td>{format.integer(bin.predictions)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
