import { useMemo, useRef } from 'react'
import { FormattedMessage } from 'react-intl'
import { afterPicks, pickedValues, without, withValues } from '../../../analytics/clauses.ts'
import { dimensionsOf, type Filter } from '../../../analytics/filter.ts'
import type { Scalar } from '../../../analytics/model.ts'
import { RUNNERS } from '../../../analytics/runners.ts'
import { intervalOf, numberOf, numberOrNull, type AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { ColumnHeadings, Small } from '../../ui/layout.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import { ChartBrush } from '../../widgets/chart/chart-brush.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { PictureMenu } from '../../widgets/chart/picture-menu.tsx'
import { ColumnsPanel } from './columns-panel.tsx'
import { NotApplied } from '../parts/note.tsx'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { Stale } from '../parts/stale.tsx'
import { whereFor } from '../../../analytics/view/requests.ts'
import { useLive, type Brush, type ViewProps } from '../query/use-brush.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { panelOf } from '../../../analytics/view/panel-spec.ts'
import { pickOf, type OnPick, type ChangeFilter } from '../state/workspace-context.ts'
import { useFilterText } from '../words/filter-text.ts'
import { useCaptionOf } from '../words/use-caption.ts'
import { CombinationsPanel } from './combinations-panel.tsx'
import panelStyles from '../parts/panel.module.css'
import styles from './calibration-tab.module.css'
import tables from './evaluation-table.module.css'

const DIM = 'probability'
const PROBABILITY = panelOf('columns', [DIM])
const HEIGHT = 280
/** Free space at both ends of the horizontal axis, as a fraction of it. */
const MARGIN = 0.03
const TICK_STEPS = [0.02, 0.05, 0.1, 0.2]

/** The reliability diagram and the histogram of the same bands: a drag over either moves every other view. */
export function CalibrationTab({ onFilter, ...shown }: ViewProps & { onFilter: ChangeFilter }) {
  const { filter } = shown.slice.slice
  const brushed = useLive()
  const live = brushed?.active === DIM ? brushed : null
  // The diagram is drawn again when other bands are selected, not at each position of the pointer.
  const [from, to] = [live?.from ?? null, live?.to ?? null]
  const isIn = useMemo(() => {
    if (from !== null && to !== null) return (value: Scalar): boolean => value >= from && value <= to
    const values = pickedValues(filter, DIM)
    return (value: Scalar): boolean => values.length === 0 || values.includes(value)
  }, [from, to, filter])
  const choose = (values: readonly Scalar[]): void => onFilter((newest) => withValues(newest, DIM, values))
  return (
    <>
      <CalibrationPanel
        {...shown}
        isIn={isIn}
        onValues={choose}
        onPick={(picks, how) => onFilter((newest) => afterPicks(newest, picks, how))}
      />
      <section className={panelStyles.panel}>
        <div className={panelStyles.head}>
          <FormattedMessage id="workspace.spread" tagName="h2" />
        </div>
        <ColumnsPanel {...shown} spec={PROBABILITY} onValues={(_, values) => choose(values)} />
      </section>
      <CombinationsPanel model={shown.model} />
    </>
  )
}

/** Expected against observed frequency: points on the diagonal are well-calibrated probabilities. */
function binsOf(rows: readonly AnswerRow[]) {
  return rows
    .flatMap((row) => {
      const rate = numberOrNull(row, 'win_rate')
      const mean = numberOrNull(row, 'mean_probability')
      if (rate === null || mean === null) return []
      const interval = intervalOf(row, 'win_rate') ?? { low: 0, high: 1 }
      const predictions = numberOf(row, 'runners')
      // Mean of the market line's probabilities, and how often those starters won: some races may have no line.
      const market = numberOrNull(row, 'mean_market_probability')
      const marketRate = numberOf(row, 'market_win_rate')
      return [{ edge: row['probability']!, predictions, mean, rate, market, marketRate, ...interval }]
    })
    .toSorted((a, b) => a.mean - b.mean)
}
type Bin = ReturnType<typeof binsOf>[number]

/** The part of a slice that applies to starters: bet and prediction types apply only to predictions. */
const starterFilter = (where: Filter): Filter | null =>
  without(
    where,
    [...dimensionsOf(where)].filter((dim) => !Object.hasOwn(RUNNERS.dimensions, dim)),
  )

interface DiagramActions {
  brush: Brush
  /** Whether the band with this lower edge is selected; also while something is brushed. */
  isIn(edge: Scalar): boolean
  onValues(values: readonly Scalar[]): void
  onPick: OnPick
}

/**
 * Expected against observed win rates of all starters, by the model and by the market. A drag over the diagram
 * selects bands of probability, a click one of them; the other bands stay visible.
 */
function CalibrationPanel({
  slice,
  model,
  ...actions
}: DiagramActions & { slice: SliceAnswer; model: string }) {
  const where = starterFilter(whereFor(slice.slice, [DIM]))
  const answer = useAnalytics(
    {
      aggregate: {
        model: 'runners',
        by: [DIM],
        measures: ['runners', 'win_rate', 'mean_probability', 'mean_market_probability', 'market_win_rate'],
        where,
        intervals: true,
      },
    },
    { priority: 'visible' },
  )
  const bins = useMemo(() => binsOf(answer.data?.rows ?? []), [answer.data])
  const picture = useBinsPicture(bins, useFilterText(model, slice.names)(where))
  return (
    <Panel
      title={<FormattedMessage id="record.reliability" />}
      actions={<PictureMenu picture={picture} stale={answer.isPlaceholderData} />}
    >
      <NotApplied where={slice.where} applied={starterFilter(slice.where)} />
      {answer.error ? (
        <FailedAnswer error={answer.error} />
      ) : answer.data ? (
        <Stale stale={answer.isPlaceholderData}>
          <Reliability {...actions} bins={bins} model={model} picture={picture} />
        </Stale>
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </Panel>
  )
}

/** The picture of the diagram, whose caption names the starters that it is of. */
function useBinsPicture(bins: readonly Bin[], slice: string): ChartPicture {
  const saver = useRef(null)
  const word = useWord()
  const format = useFormat()
  const captionOf = useCaptionOf()
  const caption = (): string => {
    const starters = bins.reduce((sum, bin) => sum + bin.predictions, 0)
    return captionOf([
      word('record.reliability'),
      slice,
      word('workspace.clause', { name: word('workspace.starters'), values: format.integer(starters) }),
      word('workspace.errorBars'),
    ])
  }
  return { name: 'furlong-calibration', caption, saver }
}

interface ReliabilityProps extends DiagramActions {
  bins: Bin[]
  model: string
  picture: ChartPicture
}

/** The diagram's chart: selected bands and the others, the market, and the diagonal on which it would be right. */
function useReliabilityChart(bins: readonly Bin[], model: string, isIn: DiagramActions['isIn']) {
  const word = useWord()
  const format = useFormat()
  return useMemo(() => {
    const hover = (bin: Bin): string => {
      const [expected, happened] = [format.percent(bin.mean), format.percent(bin.rate)]
      const [low, high] = [format.percent(bin.low), format.percent(bin.high)]
      const count = format.integer(bin.predictions)
      return `${word('record.binHover', { expected, happened, count })}\n${word('record.interval', { low, high })}`
    }
    const observed = (name: string, tone: 'accent' | 'soft', shown: readonly Bin[]) => ({
      kind: 'points' as const,
      name,
      tone,
      // Named only: the value of the last of these points says nothing about the others.
      ...(tone === 'soft' ? { open: true as const } : { end: '' }),
      x: shown.map(({ mean }) => mean),
      y: shown.map(({ rate }) => rate),
      hover: shown.map(hover),
      error: {
        up: shown.map(({ high, rate }) => high - rate),
        down: shown.map(({ low, rate }) => rate - low),
      },
    })
    const priced = bins.flatMap(({ market, marketRate }) =>
      market === null ? [] : [{ market, rate: marketRate }],
    )
    const marketPoints = {
      kind: 'points' as const,
      name: word('source.market'),
      tone: 'series-2' as const,
      x: priced.map(({ market }) => market),
      y: priced.map(({ rate }) => rate),
      end: '',
      hover: priced.map(({ market, rate }) =>
        word('workspace.marketBin', { expected: format.percent(market), happened: format.percent(rate) }),
      ),
    }
    const top = Math.max(0.1, ...bins.flatMap(({ mean, high }) => [mean, high]))
    const step = TICK_STEPS.find((each) => top / each <= 6) ?? 0.2
    const at = Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step)
    const ticks = { at, text: at.map((value) => format.percent(value, 0)) }
    const [selected, others] = [bins.filter(({ edge }) => isIn(edge)), bins.filter(({ edge }) => !isIn(edge))]
    const perfect = {
      kind: 'line' as const,
      name: word('record.perfect'),
      tone: 'soft' as const,
      x: [0, top],
      y: [0, top],
      end: '',
      hover: ['', ''],
    }
    return {
      label: word('record.reliabilitySummary', {
        bands: bins.length,
        inside: bins.filter(({ mean, low, high }) => mean >= low && mean <= high).length,
      }),
      series: [
        perfect,
        observed('', 'soft', others),
        observed(word(`source.${model}`), 'accent', selected),
        marketPoints,
      ],
      // Explicit, so that a place in the plot area is a probability; the margins keep whole markers visible.
      x: { title: word('record.expected'), ticks, range: [-MARGIN * top, (1 + MARGIN) * top] as const },
      y: { title: word('record.happened'), ticks },
    }
  }, [bins, model, format, word, isIn])
}

function Reliability({ bins, model, picture, brush, isIn, onValues, onPick }: ReliabilityProps) {
  const chart = useReliabilityChart(bins, model, isIn)
  const within = (from: number, to: number): Scalar[] =>
    bins.filter(({ mean }) => mean >= from && mean <= to).map(({ edge }) => edge)
  if (bins.length === 0) return <FormattedMessage id="record.empty" tagName="p" />
  return (
    <>
      <Small text="workspace.everyStarter" />
      <ChartBrush
        range={chart.x.range}
        onEnter={() => brush.prepare(DIM)}
        onMove={(from, to) => {
          const edges = within(from, to)
          if (edges.length > 0) brush.move(DIM, edges[0]!, edges.at(-1)!)
        }}
        onCancel={brush.end}
        onSpan={(from, to) => {
          brush.end()
          const edges = within(from, to)
          if (edges.length > 0) onValues(edges.length === bins.length ? [] : edges)
        }}
        onClick={(at, keys) => {
          const nearest = bins.toSorted((a, b) => Math.abs(a.mean - at) - Math.abs(b.mean - at))[0]!
          onPick([[DIM, nearest.edge]], pickOf(keys))
        }}
      >
        <Chart {...chart} height={HEIGHT} picture={picture} />
      </ChartBrush>
      <ReliabilityTable bins={bins} isIn={isIn} onPick={onPick} />
    </>
  )
}

/** The diagram as a table; each band can be picked. */
function ReliabilityTable({ bins, isIn, onPick }: Pick<ReliabilityProps, 'bins' | 'isIn' | 'onPick'>) {
  const format = useFormat()
  return (
    <details className={styles.twin}>
      <FormattedMessage id="record.asTable" tagName="summary" />
      <table className={tables.table} data-testid="calibration">
        <ColumnHeadings ids={['record.expected', 'source.market', 'record.happened', 'workspace.starters']} />
        <tbody>
          {bins.map((bin) => (
            <tr key={String(bin.edge)} className={isIn(bin.edge) ? '' : styles.out}>
              <td>
                <button
                  type="button"
                  className={styles.pick}
                  aria-pressed={bins.some(({ edge }) => !isIn(edge)) && isIn(bin.edge)}
                  onClick={(event) => onPick([[DIM, bin.edge]], pickOf(event))}
                >
                  {format.percent(bin.mean)}
                </button>
              </td>
              <td>{bin.market === null ? '–' : format.percent(bin.market)}</td>
              <td>{format.percent(bin.rate)}</td>
              <td>{format.integer(bin.predictions)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
