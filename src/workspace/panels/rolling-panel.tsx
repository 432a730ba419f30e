import { useDeferredValue, useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { RollingWindow } from '../../../analytics/view-sql.ts'
import { seasonOf } from '../../../domain/region.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Skeleton } from '../../ui/panel.tsx'
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
import { dayMeasure, type DayMeasure } from '../../../analytics/view/over-days.ts'
import { rolling, type RollingPoint } from '../../../analytics/view/rolling.ts'
import { standardOf } from '../../../analytics/view/standards.ts'
import { windowText } from '../words/window-text.ts'
import { isIncomplete } from '../../../analytics/view/totals.ts'
import type { ViewProps } from '../query/use-brush.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { FIRST_WINDOW, type PanelSpec } from '../../../analytics/view/panel-spec.ts'
import { figureText, headingId, useMeasureName } from '../words/measure-text.ts'
import { useCaption } from '../words/use-caption.ts'
import styles from './profit-panel.module.css'

interface RollingPanelProps extends Pick<ViewProps, 'slice' | 'model'> {
  spec: PanelSpec
  /** Height of the chart, in pixels. */
  height: number
  saver: ChartPicture['saver']
}

/** The measure of the panel, or the one before it until the answer has this one; `null` if it has neither. */
function useAnswered({ slice: { rolled = [] } }: SliceAnswer, spec: PanelSpec): DayMeasure | null {
  const wanted = dayMeasure(spec)
  const [last, setLast] = useState(wanted)
  const isThere = rolled.includes(wanted)
  if (isThere && last !== wanted) setLast(wanted)
  if (isThere) return wanted
  return rolled.includes(last) ? last : null
}

/** A figure of a window up to each race day, with what it is judged against, and where the model was fitted anew. */
export function RollingPanel({ slice: newest, model, spec, height, saver }: RollingPanelProps) {
  // Like the profit, it is drawn after the figures.
  const slice = useDeferredValue(newest)
  const measure = useAnswered(slice, spec)
  const picture = { ...useCaption(slice, model, 'rolling'), saver }
  const window = spec.window ?? FIRST_WINDOW
  if (measure === null) return <Skeleton height={height} />
  return <Rolled {...{ slice, measure, window, height, picture }} />
}

function Rolled({ slice, measure, window, height, picture }: Omit<LinesProps, 'points'>) {
  const word = useWord()
  const rows = slice.rows[DAYS]
  const { subject } = slice.slice
  const points = useMemo(
    () => rolling(rows ?? [], { subject, measure }, window),
    [rows, subject, measure, window],
  )
  const total = slice.rows[TOTAL]?.[0]
  if (total !== undefined && isIncomplete(total, measure))
    return <FormattedMessage id="record.noProfitChart" tagName="p" />
  if (points.filter(({ value }) => value !== null).length < 2)
    return (
      <Note
        text="workspace.rollingFew"
        values={{ days: rows?.length ?? 0, window: word(...windowText(window)) }}
      />
    )
  return (
    <>
      <Lines {...{ points, measure, window, slice, height, picture }} />
      <PointTable points={points} measure={measure} slice={slice} />
    </>
  )
}

interface LinesProps extends Pick<RollingPanelProps, 'slice' | 'height'> {
  points: readonly RollingPoint[]
  measure: DayMeasure
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
    const standard = standardOf(measure)
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
        ...(standard === null
          ? []
          : [
              lineOf(
                known.filter((point) => point.standard !== null),
                word(`workspace.rollingStandard.${standard.name}`),
                'soft',
                { value: (point) => point.standard!, show, format },
              ),
            ]),
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
  const standard = standardOf(measure)
  const show = (value: number | null): string => figureText(format, measure, value)
  return (
    <details className={styles.twin} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <FormattedMessage id="record.asTable" tagName="summary" />
      <FigureTable
        label={name}
        columns={{
          'record.day': ({ day }) => format.day(day),
          'workspace.rollingBets': ({ bets }) => format.integer(bets),
          [headingId(subject, measure)]: ({ value }) => show(value),
          ...(standard && {
            [`workspace.rollingStandard.${standard.name}`]: (point: RollingPoint) => show(point.standard),
          }),
        }}
        rows={open ? points.toReversed() : []}
        keyOf={({ day }) => day}
      />
    </details>
  )
}
