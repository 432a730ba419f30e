import { useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { JudgeRow, RecordFilter } from '../../../contract/queries.ts'
import { groupBy } from '../../../domain/group-by.ts'
import {
  FEW_BETS,
  ratioOfGroups,
  returnInterval,
  wilsonInterval,
  type RatioOfGroups,
} from '../../../domain/statistics.ts'
import { useEngineQuery } from '../../data/use-engine.ts'
import { useFormat } from '../../i18n/format.ts'
import { Heads } from '../../ui/heads.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import { useSeasonName } from './season-name.ts'
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

const SUMS = [
  'races',
  'log_loss',
  'uniform_log_loss',
  'market_log_loss',
  'brier',
  'hits',
  'favourite_hits',
  'random_hits',
  'stake_cents',
  'profit_cents',
  'favourite_profit_cents',
  'random_profit_cents',
] as const
type Profit = 'profit_cents' | 'favourite_profit_cents' | 'random_profit_cents'

interface Judged extends Record<(typeof SUMS)[number], number> {
  /** `null`: all of them together. */
  season: number | null
  days: readonly JudgeRow[]
}

function judged(season: number | null, days: readonly JudgeRow[]): Judged {
  const sums = Object.fromEntries(
    SUMS.map((name) => [name, days.reduce((total, day) => total + day[name], 0)]),
  ) as Record<(typeof SUMS)[number], number>
  return { season, days, ...sums }
}

const r2Of = (row: Judged): number => 1 - row.log_loss / row.uniform_log_loss
/** R² of the model, and its gain over the market line, with the error of drawing whole race days. */
const r2WithError = ({ days }: Judged): RatioOfGroups =>
  ratioOfGroups(
    days.map((day) => ({
      numerator: day.uniform_log_loss - day.log_loss,
      denominator: day.uniform_log_loss,
    })),
  )
const gainOf = ({ days }: Judged): RatioOfGroups =>
  ratioOfGroups(
    days.map((day) => ({ numerator: day.market_log_loss - day.log_loss, denominator: day.uniform_log_loss })),
  )
const marketR2Of = (row: Judged): number => 1 - row.market_log_loss / row.uniform_log_loss

/** How good the win probabilities of a slice were, season by season, against the market, the favourite and chance. */
export function JudgePanel({ filter }: { filter: RecordFilter }) {
  const answer = useEngineQuery('judge_days', { filter })
  return (
    <Panel title={<FormattedMessage id="judge.title" />}>
      <p className={styles.small}>
        <FormattedMessage id="judge.lead" />
      </p>
      {answer.error ? (
        <ErrorNotice error={answer.error} />
      ) : answer.data ? (
        <div className={answer.isPlaceholderData ? styles.stale : ''}>
          <Seasons days={answer.data.rows} modelKey={filter.modelKey} />
        </div>
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </Panel>
  )
}

function Seasons({ days, modelKey }: { days: JudgeRow[]; modelKey: number }) {
  const intl = useIntl()
  const format = useFormat()
  const seasonName = useSeasonName(modelKey)
  const rows = useMemo(
    () =>
      [...groupBy(days, ({ season }) => String(season)).values()].map((own) => judged(own[0]!.season, own)),
    [days],
  )
  const chart = useMemo(() => {
    const x = rows.map(({ season }) => seasonName(season!))
    const bars = (id: string, tone: 'series-1' | 'series-2', of: (row: Judged) => number) => {
      const name = intl.formatMessage({ id })
      const y = rows.map(of)
      const hover = y.map((value, index) => `${name}<br>${x[index]}: ${format.decimal(value, 4)}`)
      return { kind: 'bars' as const, name, tone, x, y, hover }
    }
    return {
      label: intl.formatMessage({ id: 'judge.title' }),
      series: [
        bars('judge.thisModel', 'series-1', r2Of),
        bars('source.market-baseline', 'series-2', marketR2Of),
      ],
      x: { title: '', category: true },
      y: { title: intl.formatMessage({ id: 'model.r2' }), zero: true },
    }
  }, [rows, seasonName, format, intl])
  if (rows.length === 0) return <FormattedMessage id="judge.empty" tagName="p" />
  return (
    <>
      <Chart {...chart} height={HEIGHT} />
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={chart.label}>
        <table className={styles.table} data-testid="judge">
          <Heads ids={HEADINGS} />
          <tbody>
            {[...(rows.length > 1 ? [judged(null, days)] : []), ...rows.toReversed()].map((row) => (
              <tr key={row.season}>
                <td>{row.season === null ? <FormattedMessage id="judge.all" /> : seasonName(row.season)}</td>
                <td>{format.integer(row.races)}</td>
                <td>{format.decimal(row.log_loss / row.races, 4)}</td>
                <R2 {...r2WithError(row)} />
                <Gain {...gainOf(row)} />
                <td>{format.decimal(row.brier / row.races, 4)}</td>
                <Rate hits={row.hits} races={row.races} />
                <td className={styles.muted}>{format.percent(row.favourite_hits / row.races)}</td>
                <td className={styles.muted}>{format.percent(row.random_hits / row.races)}</td>
                <Return row={row} of="profit_cents" />
                <Return row={row} of="favourite_profit_cents" />
                <Return row={row} of="random_profit_cents" />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.small}>
        <FormattedMessage id="record.greyed" values={{ bets: FEW_BETS }} />
      </p>
    </>
  )
}

function R2({ ratio, standardError }: RatioOfGroups) {
  const format = useFormat()
  return (
    <td>
      {format.decimal(ratio, 4)}
      {standardError === null ? null : (
        <span className={styles.between}>
          <FormattedMessage id="model.standardError" values={{ error: format.decimal(standardError, 4) }} />
        </span>
      )}
    </td>
  )
}

function Gain({ ratio, interval }: RatioOfGroups) {
  const format = useFormat()
  return (
    <td>
      {format.signedDecimal(ratio, 4)}
      {interval ? <Between {...interval} percent={(value) => format.signedDecimal(value, 4)} /> : null}
    </td>
  )
}

function Between({ low, high, percent }: { low: number; high: number; percent(share: number): string }) {
  return (
    <span className={styles.between}>
      <FormattedMessage id="judge.between" values={{ low: percent(low), high: percent(high) }} />
    </span>
  )
}

function Rate({ hits, races }: { hits: number; races: number }) {
  const format = useFormat()
  const interval = wilsonInterval(hits, races)
  return (
    <td>
      {format.percent(hits / races)}
      {interval ? <Between {...interval} percent={(share) => format.percent(share)} /> : null}
    </td>
  )
}

/** Return of a flat stake with its interval by meeting; greyed under 200 bets. */
function Return({ row, of }: { row: Judged; of: Profit }) {
  const format = useFormat()
  const interval = useMemo(
    () => returnInterval(row.days.map((day) => ({ stakeCents: day.stake_cents, profitCents: day[of] }))),
    [row, of],
  )
  if (row.stake_cents === 0) return <td className={styles.muted}>{'–'}</td>
  return (
    <td className={row.stake_cents / 1000 < FEW_BETS || of !== 'profit_cents' ? styles.muted : ''}>
      {format.signedPercent(row[of] / row.stake_cents)}
      {interval ? <Between {...interval} percent={format.signedPercent} /> : null}
    </td>
  )
}
