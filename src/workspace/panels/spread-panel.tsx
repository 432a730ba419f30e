import { useDeferredValue, useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import { numberOf } from '../../../analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Small } from '../../ui/layout.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { FigureTable } from '../parts/scrolled.tsx'
import { DAYS, TOTAL } from '../../../analytics/view/requests.ts'
import { spreadOf, type Spread, type SpreadBand } from '../query/spread.ts'
import { judge } from '../../../analytics/view/totals.ts'
import type { ViewProps } from '../query/use-brush.ts'
import { useCaption } from '../words/use-caption.ts'
import styles from './profit-panel.module.css'

interface SpreadPanelProps extends Pick<ViewProps, 'slice' | 'model'> {
  /** Height of the chart, in pixels. */
  height: number
  saver: ChartPicture['saver']
}

const CENTS = 100

/** How the profit of race days is spread: a histogram, the mean, the standard deviation and the extremes. */
export function SpreadPanel({ slice, model, height, saver }: SpreadPanelProps) {
  // Like the profit over time, it is drawn after the figures.
  const rows = useDeferredValue(slice.rows[DAYS])
  const spread = useMemo(
    () =>
      spreadOf(
        (rows ?? [])
          .filter((row) => numberOf(row, 'staked') > 0)
          .map((row) => numberOf(row, 'profit') / CENTS),
      ),
    [rows],
  )
  const picture = { ...useCaption(slice, model, 'spread'), saver }
  const total = slice.rows[TOTAL]?.[0]
  if (spread === null) return <FormattedMessage id="record.empty" tagName="p" />
  if (total !== undefined && judge(total).trust === 'incomplete')
    return <FormattedMessage id="record.noProfitChart" tagName="p" />
  return (
    <>
      <Bars spread={spread} height={height} picture={picture} />
      <Summary spread={spread} />
      <BandTable bands={spread.bands} />
    </>
  )
}

/** The sides of a band in units of the currency; the first and the last also have what lies beyond them. */
function useBandText(bands: readonly SpreadBand[]): (band: SpreadBand) => string {
  const word = useWord()
  const format = useFormat()
  const show = (dollars: number): string => format.signedMoney(Math.round(dollars * CENTS))
  return (band) => {
    if (bands.length > 1 && band === bands[0]) return word('record.bandBelow', { to: show(band.to) })
    if (bands.length > 1 && band === bands.at(-1)) return word('record.bandFrom', { from: show(band.from) })
    return word('record.band', { from: show(band.from), to: show(band.to) })
  }
}

interface BarsProps {
  spread: Spread
  height: number
  picture: ChartPicture
}

function Bars({ spread, height, picture }: BarsProps) {
  const word = useWord()
  const format = useFormat()
  const { bands } = spread
  const bandText = useBandText(bands)
  const chart = useMemo(() => {
    // The last edge has no label: it would reach beyond the chart.
    const edges = bands.map(({ from }) => from).filter((_, at) => at % 2 === 0)
    return {
      label: word('workspace.spreadSummary', {
        days: bands.reduce((sum, { count }) => sum + count, 0),
        mean: format.signedMoney(Math.round(spread.mean * CENTS)),
      }),
      x: {
        title: '',
        ticks: {
          at: edges,
          text: edges.map((edge) => format.signedMoney(Math.round(edge * CENTS)).replace(/\D00$/, '')),
        },
      },
      y: { title: '', zero: true },
    }
  }, [bands, spread.mean, word, format])
  const series = [
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
  ]
  return <Chart {...chart} series={series} height={height} picture={picture} />
}

function Summary({ spread: { mean, deviation, lowest, highest, above } }: { spread: Spread }) {
  const format = useFormat()
  const show = (dollars: number): string => format.signedMoney(Math.round(dollars * CENTS))
  return (
    <Small>
      <FormattedMessage
        id="workspace.spreadFigures"
        values={{
          mean: show(mean),
          deviation: deviation === null ? '–' : format.money(Math.round(deviation * CENTS)),
          share: format.percent(above),
          lowest: show(lowest),
          highest: show(highest),
        }}
      />
    </Small>
  )
}

function BandTable({ bands }: { bands: readonly SpreadBand[] }) {
  const word = useWord()
  const format = useFormat()
  const bandText = useBandText(bands)
  return (
    <details className={styles.twin}>
      <FormattedMessage id="record.asTable" tagName="summary" />
      <FigureTable
        label={word('workspace.panel.spread')}
        columns={{
          'record.profit': (band: SpreadBand) => bandText(band),
          'workspace.spreadDays': ({ count }: SpreadBand) => format.integer(count),
        }}
        rows={bands}
        keyOf={({ from }) => String(from)}
      />
    </details>
  )
}
