import { useDeferredValue, useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { RollingWindow } from '../../../analytics/view-sql.ts'
import { seasonOf } from '../../../domain/region.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import { monthsBetween } from '../../widgets/chart/months-between.ts'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { roundStep } from '../../widgets/chart/round-step.ts'
import type { Series } from '../../widgets/chart/series.ts'
import { Note } from '../parts/note.tsx'
import { FigureTable } from '../parts/scrolled.tsx'
import { MONTH_TICKS } from '../query/profit-line.ts'
import { DAYS, TOTAL } from '../../../analytics/view/requests.ts'
import {
  rolling,
  rollingMeasure,
  type RollingMeasure,
  type RollingPoint,
} from '../../../analytics/view/rolling.ts'
import { windowText } from '../words/window-text.ts'
import { judge } from '../../../analytics/view/totals.ts'
import type { ViewProps } from '../query/use-brush.ts'
import { FIRST_WINDOW, type PanelSpec } from '../../../analytics/view/panel-spec.ts'
import { figureText, useMeasureName } from '../words/measure-text.ts'
import { subjectWords } from '../words/subject-words.ts'
import { useCaption } from '../words/use-caption.ts'
import styles from './profit-panel.module.css'

interface RollingPanelProps extends Pick<ViewProps, 'slice' | 'model'> {
  spec: PanelSpec
  /** Height of the chart, in pixels. */
  height: number
  saver: ChartPicture['saver']
}

/** A figure of a window up to each race day, with what it is judged against, and where the model was fitted anew. */
export function RollingPanel({ slice, model, spec, height, saver }: RollingPanelProps) {
  // Like the profit, it is drawn after the figures.
  const rows = useDeferredValue(slice.rows[DAYS])
  const word = useWord()
  const measure = rollingMeasure(spec)
  const window = spec.window ?? FIRST_WINDOW
  const points = useMemo(() => rolling(rows ?? [], measure, window), [rows, measure, window])
  const picture = { ...useCaption(slice, model, 'rolling'), saver }
  const total = slice.rows[TOTAL]?.[0]
  const isUnknown = measure === 'return' && total !== undefined && judge(total).trust === 'incomplete'
  const days = rows?.length ?? 0
  if (isUnknown) return <FormattedMessage id="record.noProfitChart" tagName="p" />
  if (points.filter(({ value }) => value !== null).length < 2)
    return <Note text="workspace.rollingFew" values={{ days, window: word(...windowText(window)) }} />
  return (
    <>
      <Lines
        points={points}
        measure={measure}
        window={window}
        slice={slice}
        height={height}
        picture={picture}
      />
      <PointTable points={points} measure={measure} slice={slice} />
    </>
  )
}

interface LinesProps extends Pick<RollingPanelProps, 'slice' | 'height'> {
  points: readonly RollingPoint[]
  measure: RollingMeasure
  window: RollingWindow
  picture: ChartPicture
}

/** Round values over the range of the line and of its standard. */
function ticksOf(points: readonly RollingPoint[], show: (value: number) => string) {
  const values = points.flatMap(({ value, standard }) => [value, standard]).filter((value) => value !== null)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const step = roundStep((high - low || 1) / 4)
  const first = Math.ceil(low / step)
  const count = Math.max(1, Math.floor(high / step) - first + 1)
  const at = Array.from({ length: count }, (_, index) => (first + index) * step)
  return { at, text: at.map(show) }
}

/** A line of one figure of every point, whose name and last value stand beside its end. */
function lineOf(
  points: readonly RollingPoint[],
  name: string,
  tone: Series['tone'],
  {
    value,
    show,
    format,
  }: { value(point: RollingPoint): number; show(value: number): string; format: Format },
): Series {
  const last = points.at(-1)
  return {
    kind: 'line',
    name,
    tone,
    x: points.map(({ day }) => day),
    y: points.map(value),
    ...(last ? { end: show(value(last)) } : {}),
    hover: points.map((point) => `${name}\n${format.longDay(point.day)}\n${show(value(point))}`),
  }
}

function useLines({ points, measure, window, slice }: Omit<LinesProps, 'height' | 'picture'>) {
  const word = useWord()
  const format = useFormat()
  const wide = useWide()
  const { region } = useRegion()
  const nameOf = useMeasureName(slice.slice.subject)
  return useMemo(() => {
    const name = nameOf(measure)
    const show = (value: number): string => figureText(format, measure, value)
    const known = points.filter(({ value }) => value !== null)
    const [first, last] = [known[0]!, known.at(-1)!]
    const anew = region === null ? [] : firstOfSeasons(known, region)
    const fitted: Series = {
      kind: 'points',
      name: word('workspace.rollingFitted'),
      tone: 'accent',
      open: true,
      x: anew.map(({ day }) => day),
      y: anew.map(({ value }) => value!),
      hover: anew.map(({ day }) => `${word('workspace.rollingFitted')}\n${format.longDay(day)}`),
    }
    const standard = word(`workspace.rollingStandard.${measure}`)
    const ticks = monthsBetween(first.day, last.day, wide ? MONTH_TICKS.wide : MONTH_TICKS.narrow)
    return {
      label: word('workspace.rollingSummary', {
        name,
        window: word(...windowText(window)),
        from: format.day(first.day),
        to: format.day(last.day),
        value: show(last.value!),
      }),
      series: [
        lineOf(known, standard, 'soft', { value: (point) => point.standard ?? 0, show, format }),
        lineOf(known, name, 'accent', { value: (point) => point.value!, show, format }),
        ...(anew.length === 0 ? [] : [fitted]),
      ],
      x: { title: '', ticks: { at: ticks, text: ticks.map((day) => format.month(day.slice(0, 7))) } },
      y: { title: '', ticks: ticksOf(known, show) },
    }
  }, [points, measure, window, nameOf, word, format, wide, region])
}

/** The first point of each season but the first: a model is fitted for each season on the earlier ones. */
const firstOfSeasons = (
  points: readonly RollingPoint[],
  region: Parameters<typeof seasonOf>[0],
): readonly RollingPoint[] =>
  points.filter(({ day }, at) => {
    const before = points[at - 1]
    return before !== undefined && seasonOf(region, day) !== seasonOf(region, before.day)
  })

function Lines({ height, picture, ...of }: LinesProps) {
  return <Chart {...useLines(of)} height={height} picture={picture} />
}

type PointTableProps = Pick<LinesProps, 'points' | 'measure' | 'slice'>

function PointTable({ points, measure, slice }: PointTableProps) {
  const format = useFormat()
  const { subject } = slice.slice
  const name = useMeasureName(subject)(measure)
  // Rendered only when expanded: hundreds of rows that few readers open.
  const [open, setOpen] = useState(false)
  const headings = {
    return: 'record.return',
    hit_rate: subjectWords(subject).hitRate,
    ae_market: 'workspace.ae',
  }
  return (
    <details className={styles.twin} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <FormattedMessage id="record.asTable" tagName="summary" />
      <FigureTable
        label={name}
        columns={{
          'record.day': ({ day }) => format.day(day),
          'workspace.rollingBets': ({ bets }) => format.integer(bets),
          [headings[measure]]: ({ value }) => figureText(format, measure, value),
          [`workspace.rollingStandard.${measure}`]: ({ standard }) => figureText(format, measure, standard),
        }}
        rows={open ? points.toReversed() : []}
        keyOf={({ day }) => day}
      />
    </details>
  )
}
