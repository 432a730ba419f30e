import { useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { without } from '../../../analytics/clauses.ts'
import { allOf, dimensionsOf, type Filter } from '../../../analytics/filter.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import type { Model } from '../../../analytics/model.ts'
import type { Request } from '../../../analytics/request.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { isTuned } from '../../../domain/tuning.ts'
import { ratioOfGroups } from '../../../domain/statistics.ts'
import { numberOf, textOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { ColumnHeadings } from '../../ui/layout.tsx'
import { ErrorNotice, Notice, Skeleton } from '../../ui/panel.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { listed } from '../words/listed.ts'
import { MONTH_TICKS, profitAxes, profitDays, profitLine } from '../query/profit-days.ts'
import { Between } from '../parts/between.tsx'
import { judge } from '../query/totals.ts'
import { raceFilterOf, tuningDays, type Subject } from '../state/view.ts'
import { useCaption } from '../words/use-caption.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { Scrolled } from '../parts/scrolled.tsx'
import panelStyles from '../parts/panel.module.css'
import tables from '../parts/table.module.css'

const MODEL: Model = PREDICTIONS
const HEIGHT = 320
const TONES = ['series-1', 'series-2', 'series-3'] as const
const MEASURES = [
  'races',
  'predictions',
  'voids',
  'hits',
  'unknown',
  'unknown_hits',
  'staked',
  'profit',
  'market_hits',
  'expected_market',
]

/** Race days by model, for the same slice. */
const daysRequest = (where: Filter, models: readonly ModelId[]): Request => ({
  aggregate: {
    model: 'predictions',
    by: ['day', 'model'],
    measures: MEASURES,
    where: allOf({ dim: 'model', in: [...models] }, without(where, ['model'])),
    limit: 5000,
  },
})

/** Returns of the favourite and of a random pick on the slice's races. */
const standardsRequest = (where: Filter): Request => ({
  aggregate: {
    model: 'starters',
    by: ['day'],
    measures: ['races', 'favourite_profit', 'favourite_staked', 'chance_profit', 'chance_staked'],
    where: raceFilterOf(where),
    limit: 5000,
  },
})

/** Days on which every model predicted the same number of races: on other days, models cannot be compared. */
export function commonDays(rows: readonly AnswerRow[], models: readonly string[]): Set<string> {
  const races = new Map<string, Map<string, number>>()
  for (const row of rows) {
    const day = textOf(row, 'day')
    const known = races.get(day) ?? new Map<string, number>()
    known.set(textOf(row, 'model'), numberOf(row, 'races'))
    races.set(day, known)
  }
  return new Set(
    [...races].flatMap(([day, known]) => {
      const counts = new Set(models.map((model) => known.get(model)))
      return counts.size === 1 && !counts.has(undefined) ? [day] : []
    }),
  )
}

interface ModelsPanelProps {
  slice: SliceAnswer
  subject: Subject
  /** Whether the seasons on which settings were chosen are included. */
  tuning: boolean
}

/** Every model on the same races, with the favourite and chance as benchmarks. */
export function ModelsPanel({ slice, subject, tuning }: ModelsPanelProps) {
  const { models } = subject
  const { region } = useRegion()
  // Tuning seasons of any model are excluded for all of them, whichever model is selected.
  const where = useMemo(() => {
    const tuned = !tuning && region !== null && models.some(isTuned) ? tuningDays(region) : null
    return tuned === null
      ? slice.where
      : allOf(slice.where, { not: { dim: 'day', from: tuned.from, to: tuned.to } })!
  }, [tuning, region, models, slice.where])
  const days = useAnalytics(daysRequest(where, models), { priority: 'visible' })
  const standards = useAnalytics(standardsRequest(where), { priority: 'visible' })
  const error = days.error ?? standards.error
  if (error) return <ErrorNotice error={error} />
  // Days of one slice must not be compared with benchmarks of another.
  if (!days.data || !standards.data || days.isPlaceholderData || standards.isPlaceholderData)
    return <Skeleton height={HEIGHT} />
  return <Models rows={days.data.rows} standards={standards.data.rows} slice={slice} subject={subject} />
}

interface ModelsProps {
  rows: readonly AnswerRow[]
  standards: readonly AnswerRow[]
  slice: SliceAnswer
  subject: Subject
}

interface Line {
  key: string
  name: string
  rows: AnswerRow[]
}

function Models({ rows, standards, slice, subject }: ModelsProps) {
  const intl = useIntl()
  const format = useFormat()
  const { models } = subject
  const picture = useCaption(slice, subject.model, 'models')
  const common = useMemo(() => commonDays(rows, models), [rows, models])
  const days = [...common].toSorted()
  const lines = useMemo(
    (): Line[] => [
      ...models.map((model) => ({
        key: model,
        name: intl.formatMessage({ id: `source.${model}` }),
        rows: rows
          .filter((row) => row['model'] === model && common.has(textOf(row, 'day')))
          .map((row) => ({ ...row, key: row['day'] ?? null })),
      })),
      ...(['favourite', 'chance'] as const).map((kind) => ({
        key: kind,
        name: intl.formatMessage({ id: kind === 'chance' ? 'workspace.chance.line' : 'workspace.favourite' }),
        rows: standards
          .filter((row) => common.has(textOf(row, 'day')))
          .map((row) => ({
            key: row['day'] ?? null,
            predictions: row['races'] ?? null,
            hits: 0,
            profit: row[`${kind}_profit`] ?? null,
            staked: row[`${kind}_staked`] ?? null,
          })),
      })),
    ],
    [models, rows, standards, common, intl],
  )
  // Filters on the prediction itself leave different races for each model.
  const own = [...dimensionsOf(slice.slice.filter)].filter(
    (dim) =>
      MODEL.dimensions[dim]!.level !== 'race' && !['bet_type', 'prediction_type', 'rank'].includes(dim),
  )
  if (days.length === 0) return <FormattedMessage id="workspace.noCommon" tagName="p" />
  return (
    <section className={panelStyles.panel} data-testid="models">
      <div className={panelStyles.head}>
        <h2>
          <FormattedMessage id="workspace.tab.models" />
        </h2>
      </div>
      <p className={panelStyles.note}>
        <FormattedMessage
          id="workspace.commonDays"
          values={{ days: days.length, from: format.day(days[0]!), to: format.day(days.at(-1)!) }}
        />
      </p>
      {own.length > 0 ? (
        <Notice kind="warn">
          <FormattedMessage
            id="workspace.otherRaces"
            values={{
              filters: listed(
                intl,
                own.map((dim) => intl.formatMessage({ id: `dimension.${dim}` })),
              ),
            }}
          />
        </Notice>
      ) : null}
      <Curves lines={lines} picture={picture} />
      <ModelTable lines={lines} />
    </section>
  )
}

function Curves({ lines, picture }: { lines: readonly Line[]; picture: ChartPicture }) {
  const intl = useIntl()
  const format = useFormat()
  const wide = useWide()
  const chart = useMemo(() => {
    const curves = lines.map(({ key, name, rows }, index) => ({
      name,
      days: profitDays(rows),
      tone:
        key === 'chance'
          ? ('soft' as const)
          : key === 'favourite'
            ? ('series-4' as const)
            : TONES[index % TONES.length]!,
    }))
    return {
      label: intl.formatMessage({ id: 'workspace.modelCurves' }),
      series: curves.map(({ name, days, tone }) => profitLine(name, tone, days, format)),
      ...profitAxes(
        curves[0]?.days ?? [],
        curves.map(({ days }) => days),
        format,
        wide ? MONTH_TICKS.wide : MONTH_TICKS.narrow,
      ),
      legend: true,
    }
  }, [lines, intl, format, wide])
  return <Chart {...chart} height={HEIGHT} picture={picture} />
}

function ModelTable({ lines }: { lines: readonly Line[] }) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <Scrolled label={intl.formatMessage({ id: 'workspace.tab.models' })}>
      <table className={tables.table}>
        <ColumnHeadings
          ids={[
            'record.model',
            'record.predictions',
            'record.hitRate',
            'workspace.ae',
            'record.profit',
            'record.return',
            'workspace.interval',
          ]}
        />
        <tbody>
          {lines.map(({ key, name, rows }) => {
            const sum = (of: string): number =>
              rows.reduce((total, row) => total + (of in row ? numberOf(row, of) : 0), 0)
            const staked = sum('staked')
            const bets = sum('predictions') - sum('voids')
            const isModel = key !== 'favourite' && key !== 'chance'
            const reported =
              !isModel ||
              judge({
                ...rows[0],
                predictions: sum('predictions'),
                voids: sum('voids'),
                hits: sum('hits'),
                unknown_hits: sum('unknown_hits'),
                staked,
              }).reported
            const returned = ratioOfGroups(
              rows.map((row) => ({
                numerator: numberOf(row, 'profit'),
                denominator: numberOf(row, 'staked'),
              })),
            )
            return (
              <tr key={key} data-key={key}>
                <th scope="row">{name}</th>
                <td>{format.integer(sum('predictions'))}</td>
                <td>{isModel && bets > 0 ? format.percent(sum('hits') / bets) : '–'}</td>
                <td>
                  {isModel && sum('expected_market') > 0
                    ? format.decimal(sum('market_hits') / sum('expected_market'), 2)
                    : '–'}
                </td>
                <td>{reported ? format.signedMoney(sum('profit')) : '–'}</td>
                <td>{reported && staked > 0 ? format.signedPercent(returned.ratio) : '–'}</td>
                <td>
                  {reported && returned.interval ? (
                    <Between interval={returned.interval} show={format.signedPercent} />
                  ) : (
                    '–'
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scrolled>
  )
}
