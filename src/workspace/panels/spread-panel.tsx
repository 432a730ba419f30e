import { useDeferredValue, useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { useWord, type Word } from '../../i18n/use-word.ts'
import { Small } from '../../ui/layout.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { FigureTable } from '../parts/scrolled.tsx'
import { DAYS, TOTAL } from '../../../analytics/view/requests.ts'
import { spreadOfDays, type Spread, type SpreadBand } from '../query/spread.ts'
import { dayMeasure, modelName, type DayMeasure } from '../../../analytics/view/over-days.ts'
import type { PanelSpec } from '../../../analytics/view/panel-spec.ts'
import { standardOf } from '../../../analytics/view/standards.ts'
import { isIncomplete } from '../../../analytics/view/totals.ts'
import type { Subject } from '../../../analytics/view/view.ts'
import { figureText, headingId, useMeasureName } from '../words/measure-text.ts'
import type { ViewProps } from '../query/use-brush.ts'
import { useCaption } from '../words/use-caption.ts'
import styles from './profit-panel.module.css'

interface SpreadPanelProps extends Pick<ViewProps, 'slice' | 'model'> {
  spec: PanelSpec
  /** Height of the chart, in pixels. */
  height: number
  saver: ChartPicture['saver']
}

/** How a figure of race days is spread: a histogram, the mean, the standard deviation and the extremes. */
export function SpreadPanel({ slice, model, spec, height, saver }: SpreadPanelProps) {
  // Like the profit over time, it is drawn after the figures.
  const rows = useDeferredValue(slice.rows[DAYS])
  const measure = dayMeasure(spec)
  const format = useFormat()
  const { subject } = slice.slice
  const spread = useMemo(
    () => spreadOfDays(rows ?? [], { subject, measure }, (of, value) => figureText(format, of, value)),
    [rows, subject, measure, format],
  )
  const picture = { ...useCaption(slice, model, 'spread'), saver }
  const total = slice.rows[TOTAL]?.[0]
  // Of a measure that was just chosen the answer follows.
  if (rows?.[0] && !(modelName(subject, measure) in rows[0])) return <Skeleton height={height} />
  if (spread === null) return <FormattedMessage id="record.empty" tagName="p" />
  if (total !== undefined && isIncomplete(total, measure))
    return <FormattedMessage id="record.noProfitChart" tagName="p" />
  const of = { spread, measure, subject }
  return (
    <>
      <Bars {...of} height={height} picture={picture} />
      <Summary {...of} />
      <BandTable {...of} />
    </>
  )
}

interface SpreadProps {
  spread: Spread
  measure: DayMeasure
  subject: Subject
}

/** The sides of a band; the first and the last also have what lies beyond them. */
const bandTextOf =
  (word: Word, bands: readonly SpreadBand[], show: (value: number) => string) =>
  (band: SpreadBand): string => {
    if (bands.length > 1 && band === bands[0]) return word('record.bandBelow', { to: show(band.to) })
    if (bands.length > 1 && band === bands.at(-1)) return word('record.bandFrom', { from: show(band.from) })
    return word('record.band', { from: show(band.from), to: show(band.to) })
  }

interface BarsProps extends SpreadProps {
  height: number
  picture: ChartPicture
}

function Bars({ spread: { bands, mean }, measure, subject, height, picture }: BarsProps) {
  const word = useWord()
  const format = useFormat()
  const nameOf = useMeasureName(subject)
  const chart = useMemo(() => {
    const show = (value: number): string => figureText(format, measure, value)
    const bandText = bandTextOf(word, bands, show)
    // The last edge has no label: it would reach beyond the chart.
    const edges = bands.map(({ from }) => from).filter((_, at) => at % 2 === 0)
    return {
      label: word('workspace.spreadSummary', {
        name: nameOf(measure),
        days: bands.reduce((sum, { count }) => sum + count, 0),
        mean: show(mean),
      }),
      x: { title: '', ticks: { at: edges, text: edges.map((edge) => show(edge).replace(/\D00$/, '')) } },
      y: { title: '', zero: true },
      series: [
        {
          kind: 'bars' as const,
          name: word('workspace.spreadDays'),
          tone: 'accent' as const,
          x: bands.map(({ from, to }) => (from + to) / 2),
          y: bands.map(({ count }) => count),
          hover: bands.map(
            (band) => `${bandText(band)}\n${word('workspace.rolling.race-days', { length: band.count })}`,
          ),
        },
      ],
    }
  }, [bands, mean, measure, nameOf, word, format])
  return <Chart {...chart} height={height} picture={picture} />
}

function Summary({ spread: { mean, deviation, lowest, highest, above }, measure }: SpreadProps) {
  const format = useFormat()
  const show = (value: number): string => figureText(format, measure, value)
  const isOfProfit = standardOf(measure)?.name === 'even'
  return (
    <Small>
      <FormattedMessage
        id={isOfProfit ? 'workspace.spreadFigures' : 'workspace.spreadFiguresOf'}
        values={{
          mean: show(mean),
          // A deviation is a size.
          deviation: deviation === null ? '–' : show(deviation).replace(/^\+/, ''),
          share: format.percent(above),
          lowest: show(lowest),
          highest: show(highest),
        }}
      />
    </Small>
  )
}

function BandTable({ spread: { bands }, measure, subject }: SpreadProps) {
  const word = useWord()
  const format = useFormat()
  const bandText = bandTextOf(word, bands, (value) => figureText(format, measure, value))
  return (
    <details className={styles.twin}>
      <FormattedMessage id="record.asTable" tagName="summary" />
      <FigureTable
        label={word('workspace.panel.spread')}
        columns={{
          [headingId(subject, measure)]: (band: SpreadBand) => bandText(band),
          'workspace.spreadDays': ({ count }: SpreadBand) => format.integer(count),
        }}
        rows={bands}
        keyOf={({ from }) => String(from)}
      />
    </details>
  )
}
