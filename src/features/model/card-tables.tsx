import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import type { ModelCardAnswer } from '../../../contract/api/model.ts'
import type { CardMetrics } from '../../../contract/api/model.ts'
import { seasonLabel } from '../../../domain/region.ts'
import { isTuned } from '../../../domain/tuning.ts'
import { useFormat } from '../../i18n/format.ts'
import { Badge, ColumnHeadings, ScrollRegion, Table, TextCell } from '../../ui/layout.tsx'
import styles from './model.module.css'

interface TableProps {
  label: string
  headings: readonly string[]
  /** Headings of columns that contain text. */
  left?: ReadonlySet<string>
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** A table of figures whose first column names the row. */
export function CardTable({ label, headings, left, rows }: TableProps) {
  return (
    <ScrollRegion label={label}>
      <Table>
        <ColumnHeadings ids={headings} left={left} />
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) =>
                index === 0 ? (
                  <TextCell key={headings[0]} scope="row" as="th">
                    {cell}
                  </TextCell>
                ) : (
                  <td key={headings[index]}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollRegion>
  )
}

const METRIC_HEADINGS = [
  'model.races',
  'model.logLoss',
  'model.r2',
  'model.top1',
  'model.top3',
  'model.brier',
  'model.slope',
  'model.returns',
]

function useMetricCells(): (metrics: CardMetrics) => ReactNode[] {
  const intl = useIntl()
  const format = useFormat()
  return ({ races, logLoss, r2, r2Error, top1, top3, brier, slope, returns }) => {
    const interval = returns?.interval
    return [
      format.integer(races),
      format.decimal(logLoss, 4),
      <span key="r2">
        {format.decimal(r2, 4)}
        {r2Error === null ? null : (
          <span className={styles.interval}>
            {intl.formatMessage({ id: 'model.standardError' }, { error: format.decimal(r2Error, 4) })}
          </span>
        )}
      </span>,
      format.percent(top1),
      format.percent(top3),
      format.decimal(brier, 4),
      format.decimal(slope, 3),
      returns === null ? (
        '–'
      ) : (
        <span key="returns">
          {format.signedPercent(returns.rate)}
          {interval ? (
            <span className={styles.interval}>
              {intl.formatMessage(
                { id: 'model.interval' },
                { low: format.signedPercent(interval.low), high: format.signedPercent(interval.high) },
              )}
            </span>
          ) : null}
        </span>
      ),
    ]
  }
}

/** Every source over all reported seasons. */
export function PooledTable({ card }: { card: ModelCardAnswer }) {
  const intl = useIntl()
  const cellsOf = useMetricCells()
  return (
    <CardTable
      label="model.title"
      headings={['model.source', ...METRIC_HEADINGS]}
      rows={card.sources.map(({ source, pooled }) => ({
        key: source,
        cells: [intl.formatMessage({ id: `source.${source}` }), ...cellsOf(pooled)],
      }))}
    />
  )
}

/** Every source in every season: one group of rows per season, newest first. */
export function SeasonTable({ card, startMonth }: { card: ModelCardAnswer; startMonth: number }) {
  const intl = useIntl()
  const cellsOf = useMetricCells()
  const headings = ['model.source', ...METRIC_HEADINGS]
  return (
    <ScrollRegion label="model.bySeason">
      <Table data-testid="card-seasons">
        <ColumnHeadings ids={headings} />
        {card.seasons.toReversed().map((season) => (
          <tbody key={season}>
            <tr>
              <th scope="rowgroup" colSpan={headings.length} className={styles.season}>
                {seasonLabel(startMonth, season)}
              </th>
            </tr>
            {card.sources.flatMap(({ source, bySeason }) => {
              const found = bySeason.find((each) => each.season === season)
              if (!found) return []
              const isMarked = isTuned(source) && card.tuning.includes(season)
              return [
                <tr key={source} className={isMarked ? styles.tuned : undefined}>
                  <TextCell scope="row" as="th">
                    {intl.formatMessage({ id: `source.${source}` })}
                    {isMarked ? (
                      <Badge className={styles.mark}>{intl.formatMessage({ id: 'model.tunedHere' })}</Badge>
                    ) : null}
                  </TextCell>
                  {cellsOf(found.metrics).map((cell, index) => (
                    <td key={METRIC_HEADINGS[index]}>{cell}</td>
                  ))}
                </tr>,
              ]
            })}
          </tbody>
        ))}
      </Table>
    </ScrollRegion>
  )
}

/** Predicted probabilities and observed frequencies of one model. */
export function CalibrationTable({ bins }: { bins: ModelCardAnswer['calibration'][number]['bins'] }) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <CardTable
      label="model.calibration"
      headings={['model.given', 'model.starters', 'model.mean', 'model.won']}
      rows={bins.map(({ from, to, starters, mean, observed, interval }) => ({
        key: String(from),
        cells: [
          `${format.percent(from, 0)}–${format.percent(to, 0)}`,
          format.integer(starters),
          format.percent(mean),
          <span key="won">
            {format.percent(observed)}
            {interval ? (
              <span className={styles.interval}>
                {intl.formatMessage(
                  { id: 'model.interval' },
                  { low: format.percent(interval.low), high: format.percent(interval.high) },
                )}
              </span>
            ) : null}
          </span>,
        ],
      }))}
    />
  )
}

/** Winning combinations among the most probable one and ten, compared with the expected number. */
export function CoverageTable({ rows }: { rows: ModelCardAnswer['exotics'][number]['coverage'] }) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <CardTable
      label="model.exotics"
      headings={[
        'model.betType',
        'model.races',
        'model.topOne',
        'model.expectedOne',
        'model.topTen',
        'model.expectedTen',
      ]}
      rows={rows.map((row) => ({
        key: String(row.gameplayClass),
        cells: [
          intl.formatMessage({ id: `gameplay.${row.gameplayClass}` }),
          format.integer(row.races),
          format.decimal(row.top1, 3),
          format.decimal(row.top1Expected, 3),
          format.decimal(row.top10, 3),
          format.decimal(row.top10Expected, 3),
        ],
      }))}
    />
  )
}
