import { useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { JudgeRow, RecordFilter } from '../../../contract/queries.ts'
import { seasonLabel } from '../../../domain/region.ts'
import { FEW_BETS } from '../../../domain/statistics.ts'
import { useEngineQuery } from '../../data/use-engine.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import styles from './record.module.css'

const HEIGHT = 260
const HEADINGS = [
  'judge.season',
  'model.races',
  'model.logLoss',
  'model.r2',
  'judge.gain',
  'model.brier',
  'judge.hit',
  'judge.favourite',
  'judge.random',
  'judge.returnOf',
  'judge.favouriteReturn',
  'judge.randomReturn',
]

const r2Of = (row: JudgeRow): number => 1 - row.log_loss / row.uniform_log_loss
const marketR2Of = (row: JudgeRow): number => 1 - row.market_log_loss / row.uniform_log_loss

/** How good the win probabilities of a slice were, season by season, against the market, the favourite and chance. */
export function JudgePanel({ filter }: { filter: RecordFilter }) {
  const answer = useEngineQuery('judge_seasons', { filter })
  return (
    <Panel title={<FormattedMessage id="judge.title" />}>
      <p className={styles.small}>
        <FormattedMessage id="judge.lead" />
      </p>
      {answer.error ? (
        <ErrorNotice error={answer.error} />
      ) : answer.data ? (
        <div className={answer.isPlaceholderData ? styles.stale : ''}>
          <Seasons rows={answer.data.rows} />
        </div>
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </Panel>
  )
}

function Seasons({ rows }: { rows: JudgeRow[] }) {
  const intl = useIntl()
  const format = useFormat()
  const { region } = useRegion()
  const months = region?.seasonStartMonth ?? 1
  const chart = useMemo(() => {
    const x = rows.map(({ season }) => seasonLabel(months, season))
    const line = (id: string, tone: 'series-1' | 'series-2', of: (row: JudgeRow) => number) => {
      const name = intl.formatMessage({ id })
      const y = rows.map(of)
      const hover = y.map((value, index) => `${name}<br>${x[index]}: ${format.decimal(value, 4)}`)
      return { kind: 'bars' as const, name, tone, x, y, hover }
    }
    return {
      label: intl.formatMessage({ id: 'judge.title' }),
      series: [
        line('judge.thisModel', 'series-1', r2Of),
        line('source.market-baseline', 'series-2', marketR2Of),
      ],
      x: { title: '', category: true },
      y: { title: intl.formatMessage({ id: 'model.r2' }), zero: true },
    }
  }, [rows, months, format, intl])
  if (rows.length === 0) return <FormattedMessage id="judge.empty" tagName="p" />
  return (
    <>
      <Chart {...chart} height={HEIGHT} />
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={chart.label}>
        <table className={styles.table} data-testid="judge">
          <thead>
            <tr>
              {HEADINGS.map((id) => (
                <th key={id} scope="col">
                  <FormattedMessage id={id} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const few = row.stake_cents / 1000 < FEW_BETS ? styles.muted : ''
              const rate = (cents: number): string =>
                row.stake_cents === 0 ? '–' : format.signedPercent(cents / row.stake_cents)
              return (
                <tr key={row.season}>
                  <td>{seasonLabel(months, row.season)}</td>
                  <td>{format.integer(row.races)}</td>
                  <td>{format.decimal(row.log_loss, 4)}</td>
                  <td>{format.decimal(r2Of(row), 4)}</td>
                  <td>{format.signedDecimal(r2Of(row) - marketR2Of(row), 4)}</td>
                  <td>{format.decimal(row.brier, 4)}</td>
                  <td>{format.percent(row.hits / row.races)}</td>
                  <td className={styles.muted}>{format.percent(row.favourite_hits / row.races)}</td>
                  <td className={styles.muted}>{format.percent(row.random_hits / row.races)}</td>
                  <td className={few}>{rate(row.profit_cents)}</td>
                  <td className={styles.muted}>{rate(row.favourite_profit_cents)}</td>
                  <td className={styles.muted}>{rate(row.random_profit_cents)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <p className={styles.small}>
        <FormattedMessage id="record.greyed" values={{ bets: FEW_BETS }} />
      </p>
    </>
  )
}
