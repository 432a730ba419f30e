import { FormattedMessage, useIntl } from 'react-intl'
import type { CardMetrics, ModelCardAnswer } from '../../../contract/api/model.ts'
import { seasonLabel } from '../../../domain/region.ts'
import { isTuned } from '../../../domain/tuning.ts'
import { useFormat } from '../../i18n/format.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Badge, ColumnHeadings, ScrollRegion, Table, TextCell, Small, Stack } from '../../ui/layout.tsx'
import styles from './model.module.css'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'

/** The figures of a source over some seasons. */
function useMetricColumns(): Column<CardMetrics>[] {
  const intl = useIntl()
  const format = useFormat()
  return [
    { id: 'model.races', render: ({ races }) => format.integer(races) },
    { id: 'model.logLoss', render: ({ logLoss }) => format.decimal(logLoss, 4) },
    {
      id: 'model.r2',
      render: ({ r2, r2Error }) => (
        <>
          {format.decimal(r2, 4)}
          {r2Error === null ? null : (
            <span className={styles.interval}>
              {intl.formatMessage({ id: 'model.standardError' }, { error: format.decimal(r2Error, 4) })}
            </span>
          )}
        </>
      ),
    },
    { id: 'model.top1', render: ({ top1 }) => format.percent(top1) },
    { id: 'model.top3', render: ({ top3 }) => format.percent(top3) },
    { id: 'model.brier', render: ({ brier }) => format.decimal(brier, 4) },
    { id: 'model.slope', render: ({ slope }) => format.decimal(slope, 3) },
    {
      id: 'model.returns',
      render: ({ returns }) =>
        returns && (
          <>
            {format.signedPercent(returns.rate)}
            <Interval of={returns.interval} text={format.signedPercent} />
          </>
        ),
    },
  ]
}

interface IntervalProps {
  of: { low: number; high: number } | null | undefined
  text(bound: number): string
}

/** The bounds of an interval below a figure, if they are known. */
export const Interval = ({ of, text }: IntervalProps) =>
  of ? (
    <span className={styles.interval}>
      <FormattedMessage id="model.interval" values={{ low: text(of.low), high: text(of.high) }} />
    </span>
  ) : null

/** Every source over all reported seasons. */
export function PooledTable({ card }: { card: ModelCardAnswer }) {
  return (
    <DataTable
      label="model.title"
      rows={card.sources}
      keyOf={({ source }) => source}
      columns={[
        {
          id: 'model.source',
          render: ({ source }) => <FormattedMessage id={`source.${source}`} />,
          kind: 'name',
        },
        ...useMetricColumns().map(({ id, render }) => ({
          id,
          render: ({ pooled }: ModelCardAnswer['sources'][number]) => render(pooled),
        })),
      ]}
    />
  )
}

/** Every source in every season: one group of rows per season, newest first. */
export function SeasonTable({ card, startMonth }: { card: ModelCardAnswer; startMonth: number }) {
  const intl = useIntl()
  const columns = useMetricColumns()
  const headings = ['model.source', ...columns.map(({ id }) => id)]
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
                  {columns.map(({ id, render }) => (
                    <td key={id}>{render(found.metrics) ?? '–'}</td>
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
  const format = useFormat()
  return (
    <DataTable
      label="model.calibration"
      rows={bins}
      keyOf={({ from }) => from}
      columns={[
        {
          id: 'model.given',
          render: ({ from, to }) => `${format.percent(from, 0)}–${format.percent(to, 0)}`,
          kind: 'name',
        },
        { id: 'model.starters', render: ({ starters }) => format.integer(starters) },
        { id: 'model.mean', render: ({ mean }) => format.percent(mean) },
        {
          id: 'model.won',
          render: ({ observed, interval }) => (
            <>
              {format.percent(observed)}
              <Interval of={interval} text={format.percent} />
            </>
          ),
        },
      ]}
    />
  )
}

/** Winning combinations among the most probable one and ten, compared with the expected number. */
export function CoverageTable({
  model,
  rows,
}: {
  /** The model's id. */
  model: string
  rows: ModelCardAnswer['exotics'][number]['coverage']
}) {
  const format = useFormat()
  const intl = useIntl()
  return (
    <DataTable
      label="model.coverageTable"
      values={{ model: intl.formatMessage({ id: `source.${model}` }) }}
      rows={rows}
      keyOf={({ gameplayClass }) => gameplayClass}
      columns={[
        {
          id: 'model.betType',
          render: ({ gameplayClass }) => <FormattedMessage id={`gameplay.${gameplayClass}`} />,
          kind: 'name',
        },
        { id: 'model.races', render: ({ races }) => format.integer(races) },
        { id: 'model.topOne', render: ({ top1 }) => format.decimal(top1, 3) },
        { id: 'model.expectedOne', render: ({ top1Expected }) => format.decimal(top1Expected, 3) },
        { id: 'model.topTen', render: ({ top10 }) => format.decimal(top10, 3) },
        { id: 'model.expectedTen', render: ({ top10Expected }) => format.decimal(top10Expected, 3) },
      ]}
    />
  )
}

type Feature = ModelCardAnswer['features'][number]

/** Number of features that a phone shows at first. */
const FIRST = 10

/** Features with their weights as bars, largest first; a phone shows ten at first. */
export function FeatureWeights({ features }: { features: readonly Feature[] }) {
  const wide = useWide()
  const [whole, setWhole] = useState(false)
  const sorted = features.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
  const largest = Math.abs(sorted[0]?.weight ?? 0)
  if (wide) return <FeatureTable features={sorted} largest={largest} />
  const shown = whole ? sorted : sorted.slice(0, FIRST)
  return (
    <Stack tight>
      <ul className={styles.features} data-testid="card-features">
        {shown.map((feature) => (
          <FeatureLine key={feature.key} feature={feature} largest={largest} />
        ))}
      </ul>
      {shown.length < sorted.length ? (
        <Button onClick={() => setWhole(true)}>
          <FormattedMessage id="model.allFeatures" values={{ count: sorted.length }} />
        </Button>
      ) : null}
    </Stack>
  )
}

/** A weight as a bar from the centre: to the right if more of the feature makes a win more likely. */
function WeightBar({ weight, largest }: { weight: number; largest: number }) {
  const length = largest === 0 ? 0 : (Math.abs(weight) / largest) * 50
  return (
    <span className={styles.weight} aria-hidden="true">
      <span
        className={weight < 0 ? styles.less : styles.more}
        style={{ width: `${length}%`, insetInlineStart: weight < 0 ? `${50 - length}%` : '50%' }}
      />
    </span>
  )
}

function FeatureTable({ features, largest }: { features: readonly Feature[]; largest: number }) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <DataTable
      label="model.features"
      rows={features}
      keyOf={({ key }) => key}
      columns={[
        {
          id: 'model.feature',
          render: ({ key, group, unit }) => (
            <>
              {intl.formatMessage({ id: `feature.${key}` })}
              <span className={styles.interval}>
                {intl.formatMessage({ id: `featureGroup.${group}` })} ·{' '}
                {intl.formatMessage({ id: `unit.${unit}` })}
              </span>
            </>
          ),
          kind: 'name',
        },
        {
          id: 'model.weight',
          render: ({ weight }) => (
            <span className={styles.weighed}>
              <WeightBar weight={weight} largest={largest} />
              {format.signedDecimal(weight, 3)}
            </span>
          ),
        },
        { id: 'model.t', render: ({ t }) => format.signedDecimal(t, 1) },
        {
          id: 'model.why',
          render: ({ key }) => (
            <span className={styles.why}>{intl.formatMessage({ id: `featureWhy.${key}` })}</span>
          ),
          kind: 'text',
        },
        { id: 'model.columns', render: ({ source }) => <code className={styles.hash}>{source}</code> },
      ]}
    />
  )
}

function FeatureLine({ feature, largest }: { feature: Feature; largest: number }) {
  const intl = useIntl()
  const format = useFormat()
  const { key, group, unit, source, weight, t } = feature
  return (
    <li>
      <details>
        <summary>
          <span>{intl.formatMessage({ id: `feature.${key}` })}</span>
          <span className={styles.figure}>{format.signedDecimal(weight, 3)}</span>
          <WeightBar weight={weight} largest={largest} />
        </summary>
        <p>{intl.formatMessage({ id: `featureWhy.${key}` })}</p>
        <Small>
          {intl.formatMessage({ id: `featureGroup.${group}` })} · {intl.formatMessage({ id: `unit.${unit}` })}{' '}
          · {intl.formatMessage({ id: 'model.t' })} {format.signedDecimal(t, 1)} · <code>{source}</code>
        </Small>
      </details>
    </li>
  )
}
