import { useMemo, useRef } from 'react'
import { FormattedMessage } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import type { Request } from '../../../analytics/request.ts'
import { RUNNERS } from '../../../analytics/runners.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { FEW_BETS, type Interval } from '../../../domain/statistics.ts'
import { intervalOf, numberOf, numberOrNull, type AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { ColumnHeadings, Small } from '../../ui/layout.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import type { Series } from '../../widgets/chart/series.ts'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { PictureMenu } from '../../widgets/chart/picture-menu.tsx'
import { Figure } from '../parts/figure-cell.tsx'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { NotApplied } from '../parts/note.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import { Stale } from '../parts/stale.tsx'
import { judge } from '../../../analytics/view/totals.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { raceFilterOf } from '../../../analytics/view/view.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import { useFilterText } from '../words/filter-text.ts'
import { reasonText, toldText } from '../words/measure-text.ts'
import { useCaptionOf } from '../words/use-caption.ts'
import texts from '../../ui/text.module.css'
import tables from './evaluation-table.module.css'

const HEIGHT = 260
/** Height of a row of the chart, and of its axis. */
const ROW_HEIGHT = 28
const AXIS_HEIGHT = 60
const BETS = ['pick', 'favourite', 'random'] as const
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
  { id: 'judge.random', measure: 'random_rate', show: share, plain: true, muted: true },
  { id: 'judge.returnOf', measure: 'pick_return', show: returned, bet: 'pick' },
  { id: 'judge.closing', measure: 'pick_closing', show: returned },
  { id: 'judge.favouriteReturn', measure: 'favourite_return', show: returned, bet: 'favourite', muted: true },
  { id: 'judge.randomReturn', measure: 'random_return', show: returned, bet: 'random', muted: true },
]

/** Evaluation of the win probabilities of the selected races, season by season, or all together. */
const evaluationRequest = (where: Filter, by: string[]): Request => ({
  aggregate: {
    model: 'runners',
    by,
    measures: [
      ...new Set([
        ...COLUMNS.map(({ measure }) => measure),
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
  const picture = usePicture({ whole: whole.data?.rows[0], slice: () => filterText(raceFilterOf(where)) })
  const stale = seasons.isPlaceholderData || whole.isPlaceholderData
  return (
    <Panel
      title={<FormattedMessage id="judge.title" />}
      actions={isOfMarket(seasons.data?.rows ?? []) ? null : <PictureMenu picture={picture} stale={stale} />}
    >
      <Small text="judge.lead" />
      <NotApplied where={where} applied={raceFilterOf(where)} />
      {error ? (
        <FailedAnswer error={error} />
      ) : seasons.data && whole.data ? (
        <Stale stale={seasons.isPlaceholderData}>
          <Seasons rows={seasons.data.rows} whole={whole.data.rows[0]} model={model} picture={picture} />
        </Stale>
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </Panel>
  )
}

/** Whether the record is the market's own, which gains nothing over itself; a season without a market line says nothing. */
function isOfMarket(rows: readonly AnswerRow[]): boolean {
  const gains = rows.map((row) => numberOrNull(row, 'r2_gain')).filter((gain) => gain !== null)
  return gains.length > 0 && gains.every((gain) => gain === 0)
}

interface SeasonsProps {
  /** Seasons, newest first. */
  rows: AnswerRow[]
  /** All seasons together. */
  whole: AnswerRow | undefined
  model: ModelId
  picture: ChartPicture
}

interface PictureOf extends Pick<SeasonsProps, 'whole'> {
  /** The filter of the races, as text. */
  slice(): string
}

/** The picture of the chart, whose caption says how many races it is of, and the interval of their gain. */
function usePicture({ whole, slice }: PictureOf): ChartPicture {
  const saver = useRef(null)
  const word = useWord()
  const format = useFormat()
  const captionOf = useCaptionOf()
  const named = (id: string, values: string): string => word('workspace.clause', { name: word(id), values })
  const caption = (): string => {
    const interval = whole ? intervalOf(whole, 'r2_gain') : null
    const show = (end: number): string => format.signedDecimal(end, 4)
    return captionOf([
      word('judge.title'),
      slice(),
      whole ? named('model.races', format.integer(numberOf(whole, 'races'))) : '',
      interval
        ? named('judge.gain', word('record.interval', { low: show(interval.low), high: show(interval.high) }))
        : '',
    ])
  }
  return { name: 'furlong-seasons', caption, saver }
}

/** The gain over the market of a season, or of all of them. */
interface Gain {
  season: string
  isWhole: boolean
  value: number
  interval: Interval | null
}

const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
const MOST_TICKS = 6

/** Round values between two ends, zero among them if it is. */
function roundTicks(low: number, high: number): number[] {
  const step = STEPS.find((each) => (high - low) / each <= MOST_TICKS) ?? 1
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, at) => (first + at) * step)
}

/** Whether zero is outside the interval, so that the gain is more than chance. */
const isSure = ({ interval }: Gain): boolean => interval !== null && (interval.low > 0 || interval.high < 0)

/** The gain over the market by season: a row for each, newest first as in the table, and above them one for all. */
function useGainChart({ rows, whole, model }: Pick<SeasonsProps, 'rows' | 'whole' | 'model'>) {
  const word = useWord()
  const format = useFormat()
  const valueText = useDimensionText(model, RUNNERS)
  return useMemo(() => {
    // A season without a market line has no gain.
    const gains = [...(rows.length > 1 && whole ? [whole] : []), ...rows].flatMap((row): Gain[] => {
      const value = numberOrNull(row, 'r2_gain')
      const isWhole = !('season' in row)
      const season = isWhole ? word('judge.all') : valueText('season', row)
      return value === null ? [] : [{ season, isWhole, value, interval: intervalOf(row, 'r2_gain') }]
    })
    const show = (value: number): string => format.signedDecimal(value, 4)
    const hoverOf = ({ season, value, interval }: Gain): string => {
      const range = interval
        ? `\n${word('record.interval', { low: show(interval.low), high: show(interval.high) })}`
        : ''
      return `${season}\n${word('judge.gain')}: ${show(value)}${range}`
    }
    const points = (isWhole: boolean, sure: boolean): Series => {
      const shown = gains.filter((gain) => gain.isWhole === isWhole && isSure(gain) === sure)
      return {
        kind: 'points',
        name: word('judge.gain'),
        tone: isWhole ? 'series-2' : 'accent',
        ...(sure ? {} : { open: true }),
        x: shown.map(({ value }) => value),
        y: shown.map(({ season }) => season),
        hover: shown.map(hoverOf),
        error: {
          up: shown.map(({ value, interval }) => (interval?.high ?? value) - value),
          down: shown.map(({ value, interval }) => value - (interval?.low ?? value)),
        },
      }
    }
    const ends = gains.flatMap(({ value, interval }) => [interval?.low ?? value, interval?.high ?? value])
    const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)]
    const room = (high - low || 0.01) * 0.05
    const at = roundTicks(low - room, high + room)
    const names = gains.map(({ season }) => season)
    const seasons = gains.filter(({ isWhole }) => !isWhole)
    return {
      label: word('judge.gainSummary', {
        seasons: seasons.length,
        above: seasons.filter(({ value }) => value > 0).length,
        sure: seasons.filter(isSure).length,
      }),
      series: [points(true, true), points(true, false), points(false, true), points(false, false)],
      x: {
        title: word('judge.gainAxis'),
        range: [low - room, high + room] as const,
        ticks: { at, text: at.map((tick) => format.signedDecimal(tick, 3)) },
      },
      y: { title: '', category: true, reversed: true, ticks: { at: names, text: names } },
      height: gains.length * ROW_HEIGHT + AXIS_HEIGHT,
    }
  }, [rows, whole, valueText, format, word])
}

function Seasons({ rows, whole, model, picture }: SeasonsProps) {
  const word = useWord()
  const valueText = useDimensionText(model, RUNNERS)
  const chart = useGainChart({ rows, whole, model })
  // Known only if odds were recorded before post time.
  const hasClosing = rows.some((row) => numberOrNull(row, 'pick_closing') !== null)
  const hasGain = !isOfMarket(rows)
  const leftOut = new Set([...(hasClosing ? [] : ['pick_closing']), ...(hasGain ? [] : ['r2_gain'])])
  const columns = COLUMNS.filter(({ measure }) => !leftOut.has(measure))
  if (rows.length === 0) return <FormattedMessage id="judge.empty" tagName="p" />
  return (
    <>
      {hasGain ? <Chart {...chart} picture={picture} /> : null}
      <Small text={hasGain ? 'judge.gainHint' : 'judge.noGain'} />
      <div className={tables.whole}>
        <Scrolled label={word('judge.title')}>
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
      </div>
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
