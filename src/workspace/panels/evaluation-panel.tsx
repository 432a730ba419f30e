import { useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import type { Request } from '../../../analytics/request.ts'
import { STARTERS } from '../../../analytics/starters.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { FEW_BETS } from '../../../domain/statistics.ts'
import { intervalOf, numberOf, numberOrNull, type AnswerRow } from '../../data/analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { ColumnHeadings, Small } from '../../ui/layout.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { Figure } from '../parts/figure-cell.tsx'
import { NotApplied } from '../parts/note.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import { Stale } from '../parts/stale.tsx'
import { judge } from '../query/totals.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { raceFilterOf } from '../state/view.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import { useFilterText } from '../words/filter-text.ts'
import { reasonText, toldText } from '../words/measure-text.ts'
import { useCaptionOf } from '../words/use-caption.ts'
import texts from '../../ui/text.module.css'
import tables from './evaluation-table.module.css'

const HEIGHT = 260
const BETS = ['pick', 'favourite', 'chance'] as const
type Bet = (typeof BETS)[number]
/** The sums and bounds of a bet's return, as the record has them for predictions. */
const RETURN_SUMS = [
  'hits',
  'unknown',
  'unknown_hits',
  'staked',
  'return',
  'return_worst',
  'return_best',
] as const

interface Column {
  /** Message id of its heading. */
  id: string
  measure: string
  show(format: Format, value: number): string
  /** Without an interval. */
  plain?: true
  /** A benchmark, not the model. */
  muted?: true
  /** The bet whose return it is: only bounds are known where too many of its winners have no dividend. */
  bet?: Bet
}

const fourDecimals: Column['show'] = (format, value) => format.decimal(value, 4)
const share: Column['show'] = (format, value) => format.percent(value)
const returned: Column['show'] = (format, value) => format.signedPercent(value)

const COLUMNS: readonly Column[] = [
  { id: 'model.races', measure: 'races', show: (format, value) => format.integer(value), plain: true },
  { id: 'model.logLoss', measure: 'log_loss', show: fourDecimals, plain: true },
  { id: 'model.r2', measure: 'r2', show: fourDecimals },
  { id: 'judge.gain', measure: 'r2_gain', show: (format, value) => format.signedDecimal(value, 4) },
  { id: 'model.brier', measure: 'brier', show: fourDecimals, plain: true },
  { id: 'judge.hit', measure: 'pick_rate', show: share },
  { id: 'judge.favourite', measure: 'favourite_rate', show: share, plain: true, muted: true },
  { id: 'judge.random', measure: 'chance_rate', show: share, plain: true, muted: true },
  { id: 'judge.returnOf', measure: 'pick_return', show: returned, bet: 'pick' },
  { id: 'judge.closing', measure: 'pick_closing', show: returned },
  { id: 'judge.favouriteReturn', measure: 'favourite_return', show: returned, bet: 'favourite', muted: true },
  { id: 'judge.randomReturn', measure: 'chance_return', show: returned, bet: 'chance', muted: true },
]

/** Evaluation of the win probabilities of the selected races, season by season, or all together. */
const evaluationRequest = (where: Filter, by: string[]): Request => ({
  aggregate: {
    model: 'starters',
    by,
    measures: [
      ...new Set([
        ...COLUMNS.map(({ measure }) => measure),
        'r2_market',
        ...BETS.flatMap((bet) => RETURN_SUMS.map((sum) => `${bet}_${sum}`)),
      ]),
    ],
    where: raceFilterOf(where),
    intervals: true,
  },
})

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
      // A season without a market line has no bar of it.
      const known = oldestFirst.flatMap((row, index) => {
        const value = numberOrNull(row, measure)
        return value === null ? [] : [{ season: x[index]!, value }]
      })
      return {
        kind: 'bars' as const,
        name,
        tone,
        x: known.map(({ season }) => season),
        y: known.map(({ value }) => value),
        hover: known.map(({ season, value }) => `${name}\n${season}: ${format.decimal(value, 4)}`),
      }
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
  const hasClosing = rows.some((row) => numberOrNull(row, 'pick_closing') !== null)
  const columns = COLUMNS.filter(({ measure }) => hasClosing || measure !== 'pick_closing')
  if (rows.length === 0) return <FormattedMessage id="judge.empty" tagName="p" />
  return (
    <>
      <Chart {...chart} height={HEIGHT} picture={picture} />
      <Scrolled label={chart.label}>
        <table className={tables.table} data-testid="judge">
          <ColumnHeadings ids={['judge.season', ...columns.map(({ id }) => id)]} />
          <tbody>
            {[...(rows.length > 1 && whole ? [whole] : []), ...rows].map((row) => (
              <tr key={String(row['season'])}>
                <td>{'season' in row ? valueText('season', row) : <FormattedMessage id="judge.all" />}</td>
                {columns.map((column) => (
                  <Cell key={column.id} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      <Small>
        <FormattedMessage id="record.greyed" values={{ bets: FEW_BETS }} />{' '}
        <FormattedMessage id="judge.deadHeats" />
      </Small>
    </>
  )
}

/** The sums of a bet under the names that those of predictions have. */
const sumsOfBet = (row: AnswerRow, bet: Bet): AnswerRow => ({
  predictions: 0,
  voids: 0,
  ...Object.fromEntries(RETURN_SUMS.map((sum) => [sum, row[`${bet}_${sum}`] ?? null])),
})

/** One figure of a season, with its interval; a return of which only bounds are known with those. */
function Cell({ column: { measure, show, plain, muted, bet }, row }: { column: Column; row: AnswerRow }) {
  const word = useWord()
  const format = useFormat()
  const sums = bet === undefined ? null : sumsOfBet(row, bet)
  const { trust } = sums === null ? { trust: 'sound' } : judge(sums)
  const isRange = sums !== null && trust === 'incomplete'
  return (
    <td
      className={muted || isRange || (bet === 'pick' && trust === 'few') ? texts.soft : ''}
      title={sums === null ? undefined : (reasonText(word, sums) ?? undefined)}
    >
      {isRange ? (
        toldText(word, format, sums, 'return')
      ) : (
        <Figure
          value={numberOrNull(row, measure)}
          interval={plain ? null : intervalOf(row, measure)}
          show={(value) => show(format, value)}
        />
      )}
    </td>
  )
}
