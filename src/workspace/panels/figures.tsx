import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import { MODELS } from '../../../analytics/models.ts'
import { fansOut } from '../../../analytics/source.ts'
import type { Interval } from '../../../domain/statistics.ts'
import { intervalOf, numberOf, numberOrNull, textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useWord, type Word } from '../../i18n/use-word.ts'
import { Hidden } from '../../ui/panel.tsx'
import { Spark } from '../../ui/spark.tsx'
import { Whisker } from '../../ui/whisker.tsx'
import { useIntervals } from '../query/intervals.tsx'
import { profitDays } from '../../../analytics/view/profit-days.ts'
import { DAYS, NO_DIMS, orderRequest, TOTAL } from '../../../analytics/view/requests.ts'
import { boundsOf, countOf, judge, toneOf } from '../../../analytics/view/totals.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import type { Subject } from '../../../analytics/view/view.ts'
import { subjectWords } from '../words/subject-words.ts'
import { intervalText } from '../words/range-text.ts'
import figures from '../parts/figures.module.css'
import styles from './figures.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** By how much figures exceed those of the slice pinned as A, on the races that both have; `null` if unknown. */
interface Differences {
  races: number
  hitRate: number | null
  return: number | null
}

interface FiguresProps {
  slice: SliceAnswer
  /** Whether the figures are those of the previous slice. */
  stale: boolean
  /** Totals while something is brushed, otherwise `undefined`. */
  live: AnswerRow | undefined
  /** Whether the tab below shows other figures: a phone has no room for both. */
  aside: boolean
  /** From the slice that is pinned as A. */
  differences: Differences | null
}

/** The figures of the slice in one strip; on a phone two in a row. */
export function Figures({ slice, stale, live, aside, differences }: FiguresProps) {
  const word = useWord()
  const format = useFormat()
  const { answer, where } = slice
  const { history, subject } = slice.slice
  const intervals = useIntervals(slice, NO_DIMS)
  const found = live ? undefined : intervals?.[0]
  const row = live ?? slice.rows[TOTAL]?.[0]
  const days = slice.rows[DAYS]
  if (!row) return null
  const interval = (measure: string) => (found ? intervalOf(found, measure) : null)
  const told = stale || live !== undefined ? null : differences
  const beside = (figure: 'hitRate' | 'return'): ReactNode =>
    told === null || told[figure] === null ? null : <Difference value={told[figure]} races={told.races} />
  const words = subjectWords(subject)
  const texts: Texts = {
    word,
    format,
    words,
    between: (ends, show) => ends && intervalText(word, ends, show),
  }
  const quiet = stale || live !== undefined
  const order: OrderProps = { subject, where, quiet, bounds: judge(row).trust === 'incomplete', texts }
  const tones = [figures.strip, stale ? styles.stale : '', aside ? styles.aside : ''].join(' ')
  return (
    <>
      <dl
        className={tones}
        data-testid="record-tiles"
        data-source={answer.source}
        data-computed={answer.computed}
        data-engine-ms={answer.milliseconds.toFixed(2)}
        aria-busy={stale}
        data-figures={history ? 6 : 4}
      >
        <Figure {...rowCount(texts, row, days, fansOut(MODELS[subject], [], where))} />
        <Figure {...hitRate(texts, row, interval('hit_rate'))} beside={beside('hitRate')} />
        {history ? <Figure {...marketRatio(texts, row, interval('ae_market'))} /> : null}
        <Profit
          {...order}
          history={history}
          row={row}
          interval={interval('return')}
          days={live ? undefined : days}
        />
        <Figure {...returnOf(texts, row, interval('return'))} beside={beside('return')} />
        {history ? <Runs {...order} /> : null}
      </dl>
      <Announcement words={words} row={row} interval={interval('hit_rate')} quiet={quiet} />
    </>
  )
}

interface FigureProps {
  /** Message id of its name. */
  label: string
  figure: ReactNode
  tone?: string | undefined
  spark?: ReactNode
  /** Its difference from the slice that it is compared with. */
  beside?: ReactNode
  /** What is said below it; what is not known is left out. */
  notes: readonly (string | null)[]
  /** Whether a part of that follows later: its place is kept. */
  roomy?: boolean
}

/** Whether a figure is an amount of so many digits that it needs the place of its sparkline. */
const isLong = (figure: ReactNode): boolean => typeof figure === 'string' && figure.length > 12

const Figure = ({ label, figure, tone = '', spark, beside, notes, roomy = false }: FigureProps) => (
  <div className={figures.cell}>
    <FormattedMessage id={label} tagName="dt" />
    <dd
      className={`${figures.value} ${isLong(figure) ? figures.long : ''} ${beside ? figures.compared : ''} ${tone}`}
    >
      {figure}
      {beside}
      {spark}
    </dd>
    <dd className={`${figures.small} ${roomy ? styles.roomy : ''}`}>
      {notes.filter(Boolean).join(BETWEEN_FACTS)}
    </dd>
  </div>
)

/** How a figure differs from that of the slice pinned as A, on the races that both have. */
function Difference({ value, races }: { value: number; races: number }) {
  const word = useWord()
  const format = useFormat()
  return (
    <span className={styles.difference} title={word('workspace.onCommon', { races })}>
      {word('workspace.againstA', { difference: format.signedPercent(value) })}
    </span>
  )
}

interface IntervalMarkProps {
  value: number
  /** `null` until it is known: its place is kept. */
  interval: Interval | null
  /** What the value is judged against. */
  line: number
  tone: 'gain' | 'loss' | 'plain' | 'strong'
}

/** An interval narrower than the digits of any figure is not drawn. */
const LEAST_REACH = 0.0005

/** The interval of a figure on an axis around what it is judged against; the ends are in the note below. */
function IntervalMark({ value, interval, line, tone }: IntervalMarkProps) {
  const reach = interval
    ? 1.15 * Math.max(Math.abs(interval.low - line), Math.abs(interval.high - line), Math.abs(value - line))
    : 0
  return (
    <span className={styles.mark}>
      {reach > LEAST_REACH ? (
        <Whisker
          value={value}
          interval={interval}
          tone={tone}
          from={line - reach}
          to={line + reach}
          line={line}
        />
      ) : null}
    </span>
  )
}

interface Texts {
  word: Word
  format: Format
  words: ReturnType<typeof subjectWords>
  /** An interval, or bounds; `null` without them. */
  between(ends: Interval | null, show: (value: number) => string): string | null
}

type Days = readonly AnswerRow[] | undefined

function rowCount({ word, format, words }: Texts, row: AnswerRow, days: Days, fanOut: boolean): FigureProps {
  const keys = (days ?? []).map((day) => textOf(day, 'key')).toSorted()
  const [from, to] = [keys[0], keys.at(-1)]
  const voids = numberOf(row, 'voids')
  return {
    label: words.count,
    figure: format.integer(countOf(row)),
    spark: fanOut ? <PerHorse /> : null,
    notes: [
      from === undefined || to === undefined
        ? null
        : word('workspace.daysFrom', { days: keys.length, from: format.day(from), to: format.day(to) }),
      voids > 0 ? word('workspace.voids', { voids }) : null,
    ],
  }
}

/** Beside the number, where it moves nothing: a combination counts once for each of its horses. */
function PerHorse() {
  const hint = useWord()('record.fanOut')
  return (
    <span className={styles.perHorse} title={hint}>
      <FormattedMessage id="record.perHorse" />
      <Hidden>{hint}</Hidden>
    </span>
  )
}

function hitRate(
  { word, format, words, between }: Texts,
  row: AnswerRow,
  interval: Interval | null,
): FigureProps {
  const show = (share: number): string => format.percent(share)
  const rate = numberOrNull(row, 'hit_rate')
  const chance = numberOrNull(row, 'chance_rate')
  return {
    label: words.hitRate,
    figure: rate === null ? '–' : show(rate),
    spark:
      rate === null || chance === null ? null : (
        <IntervalMark value={rate} interval={interval} line={chance} tone="strong" />
      ),
    notes: [
      between(interval, show),
      chance === null ? null : word('workspace.chance', { rate: show(chance) }),
    ],
  }
}

function marketRatio(texts: Texts, row: AnswerRow, interval: Interval | null): FigureProps {
  const { word, format, between } = texts
  const ratio = numberOrNull(row, 'ae_market')
  const show = (value: number): string => format.decimal(value, 2)
  const hits = format.integer(numberOf(row, 'market_hits'))
  const expected = format.decimal(numberOf(row, 'expected_market'), 1)
  return {
    label: 'workspace.aeNamed',
    figure: ratio === null ? '–' : show(ratio),
    spark: ratio === null ? null : <IntervalMark value={ratio} interval={interval} line={1} tone="strong" />,
    notes: [between(interval, show), word('workspace.expectedHits', { hits, expected })],
  }
}

/** The colour of a profit or a return: only what can be stated of enough bets has one. */
function toneOfRow(row: AnswerRow, interval: Interval | null): string | undefined {
  const { trust, reported } = judge(row)
  return reported && trust === 'sound' ? figures[toneOf(interval)] : figures.muted
}

/** The lowest and highest possible value, where no single one can be stated; `none` where they are not known either. */
const range = (bounds: string | null, none: string): ReactNode =>
  bounds === null ? none : <span className={styles.range}>{bounds}</span>

/** The profit of a meeting: its mean and how far meetings are from it; `null` for a single one. */
function eachMeeting({ word, format }: Texts, found: AnswerRow | undefined): string | null {
  const [mean, deviation] = ['meeting_profit', 'meeting_deviation'].map((name) =>
    found && name in found ? numberOrNull(found, name) : null,
  )
  return mean == null || deviation == null
    ? null
    : word('workspace.eachMeeting', { mean: format.signedMoney(mean), deviation: format.money(deviation) })
}

interface ProfitProps extends OrderProps {
  history: boolean
  row: AnswerRow
  interval: Interval | null
  days: Days
}

function Profit({ history, row, interval, days, ...order }: ProfitProps) {
  const found = useInOrder(order, history)
  const { notes, ...figure } = profit(order.texts, row, interval, days)
  return <Figure {...figure} notes={[...notes, eachMeeting(order.texts, found)]} roomy={history} />
}

function profit(texts: Texts, row: AnswerRow, interval: Interval | null, days: Days): FigureProps {
  const { word, format, between } = texts
  const { reported } = judge(row)
  const bounds = between(boundsOf(row, 'profit'), format.signedMoney)
  const staked = numberOf(row, 'staked')
  const unknown = reported ? 0 : numberOf(row, 'unknown_hits')
  const ofStakes =
    staked > 0 ? word('workspace.staked', { stake: format.money(staked) }) : word('workspace.noBets')
  return {
    label: 'record.profit',
    figure: reported
      ? format.signedMoney(numberOf(row, 'profit'))
      : range(bounds, word('record.notAvailable')),
    tone: toneOfRow(row, interval),
    spark: reported && days ? <Sparkline days={days} /> : null,
    notes: [unknown > 0 ? word('record.unknownHits', { hits: unknown }) : ofStakes],
  }
}

/** Cumulative profit as a sparkline: its shape, not its figures. */
function Sparkline({ days }: { days: readonly AnswerRow[] }) {
  const sums = useMemo(() => profitDays(days).map(({ profitToDate }) => profitToDate), [days])
  return days.length < 3 ? null : <Spark values={sums} with={0} className={styles.spark} />
}

function returnOf({ word, format, between }: Texts, row: AnswerRow, interval: Interval | null): FigureProps {
  const { trust, reported, bets } = judge(row)
  const bounds = between(boundsOf(row, 'return'), format.signedPercent)
  const value = reported ? numberOrNull(row, 'return') : null
  return {
    label: 'record.return',
    figure: value === null ? range(bounds, '–') : format.signedPercent(value),
    tone: toneOfRow(row, interval),
    spark:
      value === null ? null : (
        <IntervalMark
          value={value}
          interval={interval}
          line={0}
          tone={trust === 'sound' ? toneOf(interval) : 'plain'}
        />
      ),
    notes: [
      reported ? between(interval, format.signedPercent) : null,
      bets > 0 ? word(`record.trust.${trust}`, { bets: format.integer(bets) }) : null,
    ],
  }
}

/** What the figures in the order of the bets are of. */
interface OrderProps {
  subject: Subject
  where: Filter
  quiet: boolean
  /** Whether the profit has only bounds: then so have these. */
  bounds: boolean
  texts: Texts
}

/** The figures in the order of the bets, once they are known. */
function useInOrder({ subject, where, bounds, quiet }: OrderProps, enabled = true): AnswerRow | undefined {
  const answer = useAnalytics(orderRequest(subject, where, bounds), {
    priority: 'idle',
    enabled: enabled && !quiet,
  })
  return quiet || answer.isPlaceholderData ? undefined : answer.data?.rows[0]
}

function Runs(order: OrderProps) {
  const found = useInOrder(order)
  const {
    bounds,
    texts: { word, format, between },
  } = order
  /** The lowest and the highest value; the same twice where it is known. */
  const ends = (low: string, high: string): Interval | null => {
    const [from, to] = [low, high].map((name) => (found ? numberOrNull(found, name) : null))
    return from == null || to == null ? null : { low: from, high: to }
  }
  const run = bounds ? ends('losing_run_best', 'losing_run') : ends('losing_run', 'losing_run')
  const fall = bounds ? ends('drawdown_best', 'drawdown_worst') : ends('drawdown', 'drawdown')
  const text = (of: Interval | null, show: (value: number) => string): string | null =>
    of !== null && of.low === of.high ? show(of.low) : between(of, show)
  const drawdown = text(fall, format.money)
  const isRange = run !== null && run.low !== run.high
  return (
    <Figure
      label="workspace.losingRun"
      figure={isRange ? range(text(run, format.integer), '–') : (text(run, format.integer) ?? '–')}
      notes={[drawdown === null ? null : word('workspace.drawdown', { amount: drawdown })]}
    />
  )
}

/** The slice is announced to screen readers after this time without a change. */
const QUIET_MS = 700

interface AnnouncementProps extends Pick<Texts, 'words'> {
  row: AnswerRow
  interval: Interval | null
  quiet: boolean
}

function Announcement({ words, row, interval, quiet }: AnnouncementProps) {
  const word = useWord()
  const format = useFormat()
  const [said, setSaid] = useState('')
  const rate = numberOrNull(row, 'hit_rate')
  const text = useMemo(
    () =>
      word(interval ? words.announceInterval : words.announce, {
        count: format.integer(countOf(row)),
        rate: rate === null ? '–' : format.percent(rate),
        low: interval ? format.percent(interval.low, 0) : '',
        high: interval ? format.percent(interval.high, 0) : '',
      }),
    [word, format, words, row, rate, interval],
  )
  useEffect(() => {
    if (quiet) return undefined
    const timer = setTimeout(() => setSaid(text), QUIET_MS)
    return () => clearTimeout(timer)
  }, [text, quiet])
  return (
    <Hidden>
      <span aria-live="polite" data-testid="announcement">
        {said}
      </span>
    </Hidden>
  )
}
