import { useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import { without } from '../../../analytics/clauses.ts'
import { allOf, dimensionsOf, type Filter } from '../../../analytics/filter.ts'
import type { Request } from '../../../analytics/request.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { ratioOfGroups } from '../../../domain/statistics.ts'
import { isTuned } from '../../../domain/tuning.ts'
import { numberOf, textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Notice, Skeleton } from '../../ui/panel.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { PictureMenu } from '../../widgets/chart/picture-menu.tsx'
import { Note } from '../parts/note.tsx'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { FigureTable } from '../parts/scrolled.tsx'
import { MONTH_TICKS, profitAxes, profitLine } from '../query/profit-line.ts'
import { profitDays } from '../../../analytics/view/profit-days.ts'
import { BET_SUMS, judge, withReturnBounds } from '../../../analytics/view/totals.ts'
import { toldText } from '../words/measure-text.ts'
import { intervalText } from '../words/range-text.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { Challenge } from './challenge.tsx'
import { dimensionOf } from '../../../analytics/view/dimension-of.ts'
import { raceFilterOf, tuningDays, type Basis } from '../../../analytics/view/view.ts'
import { listed } from '../words/filter-text.ts'
import { useCaption } from '../words/use-caption.ts'
import panelStyles from '../parts/panel.module.css'

const HEIGHT = 320
/** A model's colour is the same whichever others are there; the favourite has the remaining one. */
const TONES = {
  blended: 'series-1',
  fundamental: 'series-2',
  'market-baseline': 'series-3',
  network: 'series-5',
} as const satisfies Record<ModelId, string>
/** Sums of a benchmark, which bets only in races with a market line. */
const STANDARD_SUMS = ['bets', ...BET_SUMS]
const MEASURES = ['races', 'predictions', 'voids', ...BET_SUMS, 'market_hits', 'expected_market']

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

const STANDARDS = ['favourite', 'random'] as const

/** Returns of the favourite and of a random pick, whose hits are expected ones, on the slice's races. */
const standardsRequest = (where: Filter): Request => ({
  aggregate: {
    model: 'runners',
    by: ['day'],
    measures: ['races', ...STANDARDS.flatMap((kind) => STANDARD_SUMS.map((sum) => `${kind}_${sum}`))],
    where: raceFilterOf(where),
    limit: 5000,
  },
})

/** Days on which every model predicted the same number of races: on other days, models cannot be compared. */
export function commonDays(rows: readonly AnswerRow[], models: readonly string[]): Set<string> {
  const days = groupBy(rows, (row) => textOf(row, 'day'))
  const isCommon = (ofDay: readonly AnswerRow[]): boolean => {
    const races = new Map(ofDay.map((row) => [textOf(row, 'model'), numberOf(row, 'races')]))
    const counts = new Set(models.map((model) => races.get(model)))
    return counts.size === 1 && !counts.has(undefined)
  }
  return new Set([...days].flatMap(([day, ofDay]) => (isCommon(ofDay) ? [day] : [])))
}

interface ModelsPanelProps {
  slice: SliceAnswer
  basis: Basis
  /** Whether the seasons on which settings were chosen are included. */
  tuning: boolean
}

/** Every model on the same races, with the favourite and chance as benchmarks. */
export function ModelsPanel({ slice, basis, tuning }: ModelsPanelProps) {
  const { models } = basis
  const { region } = useRegion()
  // Tuning seasons of any model are excluded for all of them, whichever model is selected.
  const where = useMemo(() => {
    const tuned = !tuning && region !== null && models.some(isTuned) ? tuningDays(region) : null
    return tuned === null ? slice.where : allOf(slice.where, { not: { dim: 'day', ...tuned } })!
  }, [tuning, region, models, slice.where])
  const days = useAnalytics(daysRequest(where, models), { priority: 'visible' })
  const standards = useAnalytics(standardsRequest(where), { priority: 'visible' })
  const error = days.error ?? standards.error
  if (error) return <FailedAnswer error={error} />
  // Days of one slice must not be compared with benchmarks of another.
  if (!days.data || !standards.data || days.isPlaceholderData || standards.isPlaceholderData)
    return <Skeleton height={HEIGHT} />
  return (
    <>
      <Models rows={days.data.rows} standards={standards.data.rows} slice={slice} basis={basis} />
      <Challenge where={where} models={models} />
    </>
  )
}

interface ModelsProps {
  rows: readonly AnswerRow[]
  standards: readonly AnswerRow[]
  slice: SliceAnswer
  basis: Basis
}

type Tone = (typeof TONES)[ModelId] | 'series-4' | 'soft'

interface Line {
  key: string
  name: string
  tone: Tone
  rows: AnswerRow[]
}

/** A line for each model, for the favourite and for chance, of the same days. */
function useLines({ rows, standards, basis: { models } }: ModelsProps, common: ReadonlySet<string>): Line[] {
  const word = useWord()
  return useMemo(() => {
    const ofCommonDays = (of: readonly AnswerRow[]): AnswerRow[] =>
      of.flatMap((row) => (common.has(textOf(row, 'day')) ? [{ ...row, key: row['day'] ?? null }] : []))
    const ofModels = ofCommonDays(rows)
    const ofStandards = ofCommonDays(standards)
    return [
      ...models.map((model) => ({
        key: model,
        name: word(`source.${model}`),
        tone: TONES[model],
        rows: ofModels.filter((row) => row['model'] === model),
      })),
      ...STANDARDS.map((kind) => ({
        key: kind,
        name: word(kind === 'random' ? 'workspace.chance.line' : 'workspace.favourite'),
        tone: kind === 'random' ? ('soft' as const) : ('series-4' as const),
        rows: ofStandards.map((row) => ({
          key: row['key'] ?? null,
          predictions: row['races'] ?? null,
          ...Object.fromEntries(STANDARD_SUMS.map((sum) => [sum, row[`${kind}_${sum}`] ?? null])),
        })),
      })),
    ]
  }, [models, rows, standards, common, word])
}

function Models(props: ModelsProps) {
  const { rows, slice, basis } = props
  const { models } = basis
  const word = useWord()
  const format = useFormat()
  const picture = useCaption(slice, basis.model, 'models')
  const common = useMemo(() => commonDays(rows, models), [rows, models])
  const lines = useLines(props, common)
  const totals = useMemo(() => lines.map(totalsOf), [lines])
  // The curve of sums without some winners would be too low.
  const told = useMemo(() => totals.filter(({ sums }) => judge(sums).trust !== 'incomplete'), [totals])
  const days = [...common].toSorted()
  // Filters on the prediction itself leave different races for each model.
  const own = [...dimensionsOf(slice.slice.filter)].filter(
    (dim) => dimensionOf(dim).level !== 'race' && !['bet_type', 'prediction_type', 'rank'].includes(dim),
  )
  if (days.length === 0) return <FormattedMessage id="workspace.noCommon" tagName="p" />
  const filters = listed(
    word,
    own.map((dim) => word(`dimension.${dim}`)),
  )
  return (
    <section className={panelStyles.panel} data-testid="models">
      <div className={panelStyles.head}>
        <FormattedMessage id="workspace.tab.models" tagName="h2" />
        {told.length > 0 ? <PictureMenu picture={picture} /> : null}
      </div>
      <Note
        text="workspace.commonDays"
        values={{ days: days.length, from: format.day(days[0]!), to: format.day(days.at(-1)!) }}
      />
      {own.length > 0 ? (
        <Notice kind="warn">
          <FormattedMessage id="workspace.otherRaces" values={{ filters }} />
        </Notice>
      ) : null}
      {told.length > 0 ? <Curves lines={told} picture={picture} /> : null}
      {told.length < lines.length ? <Note text="record.noProfitChart" /> : null}
      <ModelTable lines={totals} />
    </section>
  )
}

function Curves({ lines, picture }: { lines: readonly Line[]; picture: ChartPicture }) {
  const word = useWord()
  const format = useFormat()
  const wide = useWide()
  const chart = useMemo(() => {
    const days = lines.map(({ rows }) => profitDays(rows))
    return {
      label: word('workspace.modelCurves'),
      series: lines.map(({ name, tone }, index) => profitLine(name, tone, days[index]!, format)),
      ...profitAxes(days[0] ?? [], days, format, wide ? MONTH_TICKS.wide : MONTH_TICKS.narrow),
    }
  }, [lines, word, format, wide])
  return <Chart {...chart} height={HEIGHT} picture={picture} />
}

/** What the table shows of a line. */
function totalsOf({ key, name, tone, rows }: Line) {
  const added: AnswerRow = Object.fromEntries(
    ['bets', ...MEASURES].map((measure) => [
      measure,
      rows.reduce((total, row) => total + (measure in row ? numberOf(row, measure) : 0), 0),
    ]),
  )
  const isModel = key !== 'favourite' && key !== 'random'
  const returned = ratioOfGroups(
    rows.map((row) => ({ numerator: numberOf(row, 'profit'), denominator: numberOf(row, 'staked') })),
  )
  const sums = withReturnBounds({ ...added, return: numberOf(added, 'staked') > 0 ? returned.ratio : null })
  return { key, name, tone, rows, isModel, sums, returned, reported: judge(sums).reported }
}

function ModelTable({ lines }: { lines: readonly ReturnType<typeof totalsOf>[] }) {
  const word = useWord()
  const format = useFormat()
  return (
    <FigureTable
      label={word('workspace.tab.models')}
      columns={{
        'record.model': ({ name }) => name,
        'record.predictions': ({ sums }) => format.integer(numberOf(sums, 'predictions')),
        'record.hitRate': ({ isModel, sums }) => {
          // The benchmarks bet only in races with a market line.
          const bets = isModel ? judge(sums).played : numberOf(sums, 'bets')
          return bets > 0 ? format.percent(numberOf(sums, 'hits') / bets) : '–'
        },
        'workspace.ae': ({ isModel, sums }) => {
          const expected = numberOf(sums, 'expected_market')
          return isModel && expected > 0 ? format.decimal(numberOf(sums, 'market_hits') / expected, 2) : '–'
        },
        'record.profit': ({ sums }) => toldText(word, format, sums, 'profit'),
        'record.return': ({ sums }) => toldText(word, format, sums, 'return'),
        'workspace.interval': ({ reported, returned: { interval } }) => {
          return reported && interval ? intervalText(word, interval, format.signedPercent) : '–'
        },
      }}
      rows={lines}
      keyOf={({ key }) => key}
    />
  )
}
