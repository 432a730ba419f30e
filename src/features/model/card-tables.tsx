import { FormattedMessage, useIntl } from 'react-intl'
import type { CardMetrics, ModelCardAnswer } from '../../../contract/api/model.ts'
import { seasonLabel } from '../../../domain/region.ts'
import { isTuned } from '../../../domain/tuning.ts'
import { useFormat } from '../../i18n/format.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Badge, ColumnHeadings, ScrollRegion, Table, TextCell, Small, Stack } from '../../ui/layout.tsx'
import styles from './model.module.css'
import { useState } from 'react'
import { Line, RowList, WideTable } from './wide-table.tsx'
import { Button } from '../../ui/button.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

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
    <WideTable
      label="model.title"
      lead="model.r2"
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

/** A source's figures of one season. */
interface SeasonRow {
  source: string
  metrics: CardMetrics
  /** Its settings were chosen on this season. */
  isMarked: boolean
}

/** Every source in every season, newest first: one group of rows per season, or on a phone a list that is opened. */
export function SeasonTable({ card, startMonth }: { card: ModelCardAnswer; startMonth: number }) {
  const intl = useIntl()
  const wide = useWide()
  const columns: Column<SeasonRow>[] = [
    {
      id: 'model.source',
      render: ({ source, isMarked }) => (
        <>
          {intl.formatMessage({ id: `source.${source}` })}
          {isMarked ? (
            <span className={styles.mark}>
              <Badge>{intl.formatMessage({ id: 'model.tunedHere' })}</Badge>
            </span>
          ) : null}
        </>
      ),
      kind: 'name',
    },
    ...useMetricColumns().map(({ id, render }) => ({
      id,
      render: ({ metrics }: SeasonRow) => render(metrics),
    })),
  ]
  const seasons = card.seasons.toReversed().map((season) => ({
    name: seasonLabel(startMonth, season),
    rows: card.sources.flatMap(({ source, bySeason }) => {
      const found = bySeason.find((each) => each.season === season)
      const isMarked = isTuned(source) && card.tuning.includes(season)
      return found ? [{ source, metrics: found.metrics, isMarked }] : []
    }),
  }))
  if (!wide)
    return seasons.map(({ name, rows }, at) => (
      <details key={name} className={styles.fold} open={at === 0}>
        <summary>{name}</summary>
        <RowList
          label="model.bySeason"
          columns={columns}
          rows={rows}
          keyOf={({ source }) => source}
          lead="model.r2"
        />
      </details>
    ))
  return (
    <ScrollRegion label="model.bySeason">
      <Table data-testid="card-seasons">
        <ColumnHeadings ids={columns.map(({ id }) => id)} />
        {seasons.map(({ name, rows }) => (
          <tbody key={name}>
            <tr>
              <th scope="rowgroup" colSpan={columns.length} className={styles.season}>
                {name}
              </th>
            </tr>
            {rows.map((row) => (
              <tr key={row.source} className={row.isMarked ? styles.tuned : undefined}>
                {columns.map(({ id, render, kind }) =>
                  kind === 'name' ? (
                    <TextCell key={id} scope="row" as="th">
                      {render(row)}
                    </TextCell>
                  ) : (
                    <td key={id}>{render(row) ?? '–'}</td>
                  ),
                )}
              </tr>
            ))}
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
          render: ({ from, to }) => (
            <span className={styles.range}>
              {format.percent(from, 0)}–{format.percent(to, 0)}
            </span>
          ),
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
    <WideTable
      label="model.coverageTable"
      lead="model.topTen"
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

/** Features with their weights as bars, and which ones the region has no data for. */
export function FeatureWeights({ features }: { features: readonly Feature[] }) {
  const intl = useIntl()
  const without = features.filter(({ weight }) => weight === 0)
  return (
    <>
      <Weights features={features.filter(({ weight }) => weight !== 0)} />
      {without.length === 0 ? null : (
        <Small>
          <FormattedMessage
            id="model.featuresWithout"
            values={{
              features: intl.formatList(
                without.map(({ key }) => intl.formatMessage({ id: `feature.${key}` })),
              ),
            }}
          />
        </Small>
      )}
    </>
  )
}

/** Largest weight first; a phone shows ten at first. */
function Weights({ features }: { features: readonly Feature[] }) {
  const wide = useWide()
  const [whole, setWhole] = useState(false)
  const sorted = features.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
  const largest = Math.abs(sorted[0]?.weight ?? 0)
  if (wide) return <FeatureTable features={sorted} largest={largest} />
  const shown = whole ? sorted : sorted.slice(0, FIRST)
  return (
    <Stack tight>
      <ul className={styles.lines} data-testid="card-features">
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
                {intl.formatMessage({ id: `featureGroup.${group}` })}
                {BETWEEN_FACTS}
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
    <Line
      name={intl.formatMessage({ id: `feature.${key}` })}
      figure={format.signedDecimal(weight, 3)}
      bar={<WeightBar weight={weight} largest={largest} />}
    >
      <p>{intl.formatMessage({ id: `featureWhy.${key}` })}</p>
      <Small>
        {intl.formatMessage({ id: `featureGroup.${group}` })}
        {BETWEEN_FACTS}
        {intl.formatMessage({ id: `unit.${unit}` })}
        {BETWEEN_FACTS}
        {intl.formatMessage({ id: 'model.t' })} {format.signedDecimal(t, 1)}
        {BETWEEN_FACTS}
        <code>{source}</code>
      </Small>
    </Line>
  )
}
