import { useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import { STARTERS } from '../../../analytics/starters.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { FEW_BETS } from '../../../domain/statistics.ts'
import { intervalOf, numberOf, numberOrNull, type AnswerRow } from '../../data/analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { ColumnHeadings, Small } from '../../ui/layout.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { FigureCell } from '../parts/figure-cell.tsx'
import { NotApplied } from '../parts/not-applied.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import { Stale } from '../parts/stale.tsx'
import { evaluationRequest } from '../query/requests.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { raceFilterOf } from '../state/view.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import { useFilterText } from '../words/filter-text.ts'
import { useCaptionOf } from '../words/use-caption.ts'
import texts from '../../ui/text.module.css'
import tables from './evaluation-table.module.css'

const HEIGHT = 260
const HEADINGS = [
  'judge.season',
  'model.races',
  'model.logLoss',
  'model.r2',
  'judge.gain',
  'model.brier',
  'judge.hit',
  'judge.favourite',
  'judge.random',
  'judge.returnOf',
  'judge.closing',
  'judge.favouriteReturn',
  'judge.randomReturn',
]

/**
 * Evaluates the win probabilities of a slice season by season, against the market, the favourite and chance.
 */
export function EvaluationPanel({ slice, model }: { slice: SliceAnswer; model: ModelId }) {
  const { where } = slice
  const filterText = useFilterText(model, slice.names)
  const seasons = useAnalytics(evaluationRequest(where, ['season']), { priority: 'visible' })
  const whole = useAnalytics(evaluationRequest(where, []), { priority: 'visible' })
  const error = seasons.error ?? whole.error
  return (
    <Panel title={<FormattedMessage id="judge.title" />}>
      <Small text="judge.lead" />
      <NotApplied where={where} applied={raceFilterOf(where)} />
      {error ? (
        <ErrorNotice error={error} />
      ) : seasons.data && whole.data ? (
        <Stale stale={seasons.isPlaceholderData}>
          <Seasons
            rows={seasons.data.rows}
            whole={whole.data.rows[0]}
            model={model}
            slice={() => filterText(raceFilterOf(where))}
          />
        </Stale>
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </Panel>
  )
}

interface SeasonsProps {
  /** Seasons, newest first. */
  rows: AnswerRow[]
  /** All seasons together. */
  whole: AnswerRow | undefined
  model: ModelId
  /** The filter of the races, as text. */
  slice(): string
}

/** The picture of the chart, whose caption says how many races it is of, and the interval of their R². */
function usePicture({ whole, slice }: Pick<SeasonsProps, 'whole' | 'slice'>): ChartPicture {
  const word = useWord()
  const format = useFormat()
  const captionOf = useCaptionOf()
  const named = (id: string, values: string): string => word('workspace.clause', { name: word(id), values })
  const caption = (): string => {
    const interval = whole ? intervalOf(whole, 'r2') : null
    const show = (end: number): string => format.decimal(end, 4)
    return captionOf([
      word('judge.title'),
      slice(),
      whole ? named('model.races', format.integer(numberOf(whole, 'races'))) : '',
      interval
        ? named('model.r2', word('record.interval', { low: show(interval.low), high: show(interval.high) }))
        : '',
    ])
  }
  return { name: 'furlong-seasons', caption }
}

function Seasons({ rows, whole, model, slice }: SeasonsProps) {
  const word = useWord()
  const format = useFormat()
  const valueText = useDimensionText(model, STARTERS)
  const picture = usePicture({ whole, slice })
  const chart = useMemo(() => {
    const oldestFirst = rows.toReversed()
    const x = oldestFirst.map((row) => valueText('season', row))
    const bars = (id: string, tone: 'series-1' | 'series-2', measure: string) => {
      const name = word(id)
      const y = oldestFirst.map((row) => numberOf(row, measure))
      const hover = y.map((value, index) => `${name}<br>${x[index]}: ${format.decimal(value, 4)}`)
      return { kind: 'bars' as const, name, tone, x, y, hover }
    }
    return {
      label: word('judge.title'),
      series: [
        bars('judge.thisModel', 'series-1', 'r2'),
        bars('source.market-baseline', 'series-2', 'r2_market'),
      ],
      x: { title: '', category: true },
      y: { title: word('model.r2'), zero: true },
    }
  }, [rows, valueText, format, word])
  // Known only if odds were recorded before post time.
  const closing = rows.some((row) => numberOrNull(row, 'pick_closing') !== null)
  if (rows.length === 0) return <FormattedMessage id="judge.empty" tagName="p" />
  return (
    <>
      <Chart {...chart} height={HEIGHT} picture={picture} />
      <Scrolled label={chart.label}>
        <table className={tables.table} data-testid="judge">
          <ColumnHeadings ids={HEADINGS.filter((id) => closing || id !== 'judge.closing')} />
          <tbody>
            {[...(rows.length > 1 && whole ? [whole] : []), ...rows].map((row) => (
              <tr key={String(row['season'])}>
                <td>{'season' in row ? valueText('season', row) : <FormattedMessage id="judge.all" />}</td>
                <td>{format.integer(numberOf(row, 'races'))}</td>
                <td>{format.decimal(numberOf(row, 'log_loss'), 4)}</td>
                <FigureCell row={row} measure="r2" show={(value) => format.decimal(value, 4)} />
                <FigureCell row={row} measure="r2_gain" show={(value) => format.signedDecimal(value, 4)} />
                <td>{format.decimal(numberOf(row, 'brier'), 4)}</td>
                <FigureCell row={row} measure="pick_rate" show={(share) => format.percent(share)} />
                <td className={texts.soft}>{format.percent(numberOf(row, 'favourite_rate'))}</td>
                <td className={texts.soft}>{format.percent(numberOf(row, 'chance_rate'))}</td>
                <FigureCell
                  row={row}
                  measure="pick_return"
                  show={format.signedPercent}
                  muted={numberOf(row, 'pick_bets') < FEW_BETS}
                />
                {closing ? <FigureCell row={row} measure="pick_closing" show={format.signedPercent} /> : null}
                <FigureCell row={row} measure="favourite_return" show={format.signedPercent} muted />
                <FigureCell row={row} measure="chance_return" show={format.signedPercent} muted />
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      <Small>
        <FormattedMessage id="record.greyed" values={{ bets: FEW_BETS }} />
      </Small>
    </>
  )
}
