import { useCallback } from 'react'
import { OWN_SLOTS, ownMean } from '../../../analytics/own-slots.ts'
import { isTrimmed, TRIMMED, type Trimmed } from '../../../analytics/trimmed.ts'
import { intervalOf, numberOf, numberOrNull, type AnswerRow } from '../../../analytics/cells.ts'
import type { Format } from '../../i18n/format.ts'
import { useWord, type Word } from '../../i18n/use-word.ts'
import { BET_MEASURES, type ShownMeasure } from '../../../analytics/view/panel-spec.ts'
import { standardOf } from '../../../analytics/view/standards.ts'
import type { Subject } from '../../../analytics/view/view.ts'
import { BOUNDED, countOf, judge, told, type Bounded } from '../../../analytics/view/totals.ts'
import { intervalText } from './range-text.ts'
import { subjectWords } from './subject-words.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

type OwnMean = ReturnType<typeof ownMean>

/** Shown where there is no value. */
const NONE = '–'

/** A measure of a group, whether or not it may be stated; `null` if it is unknown. */
export function measureOf(row: AnswerRow, measure: ShownMeasure): number | null {
  if (measure === 'count') return countOf(row)
  // An answer from before the measure was chosen does not have its column.
  return measure in row ? numberOrNull(row, measure) : null
}

const boundedOf = (measure: ShownMeasure): Bounded | undefined => BOUNDED.find((each) => each === measure)

/** Measures over each single bet that only a known profit has. */
const isOfKnownProfit = (measure: ShownMeasure): boolean =>
  BET_MEASURES.some((each) => each === measure) && measure !== 'losing_run'

/** A figure of a group; `null` if it cannot be stated. */
export function figureOf(row: AnswerRow, measure: ShownMeasure): number | null {
  const bounded = boundedOf(measure)
  if (bounded !== undefined) {
    const figure = told(row, bounded)
    return typeof figure === 'number' ? figure : null
  }
  if (isOfKnownProfit(measure) && !judge(row).reported) return null
  return measureOf(row, measure)
}

/** A number of the user's own file, with as many digits as distinguish it from its neighbours. */
export function ownNumber(format: Format, value: number): string {
  const size = Math.abs(value)
  return format.decimal(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4)
}

const TEXTS: Readonly<
  Record<Exclude<ShownMeasure, OwnMean | Trimmed>, (format: Format, value: number) => string>
> = {
  return: (format, value) => format.signedPercent(value),
  hit_rate: (format, value) => format.percent(value),
  ae_market: (format, value) => format.decimal(value, 2),
  profit: (format, value) => format.signedMoney(value),
  ae: (format, value) => format.decimal(value, 2),
  impact: (format, value) => format.decimal(value, 2),
  mean_probability: (format, value) => format.percent(value),
  mean_odds: (format, value) => format.odds(value),
  closing_value: (format, value) => format.signedPercent(value),
  brier: (format, value) => format.decimal(value, 4),
  log_loss: (format, value) => format.decimal(value, 4),
  place_rate: (format, value) => format.percent(value),
  place_return: (format, value) => format.signedPercent(value),
  place_profit: (format, value) => format.signedMoney(value),
  place_ae_market: (format, value) => format.decimal(value, 2),
  losing_run: (format, value) => format.integer(value),
  drawdown: (format, value) => format.money(value),
  meeting_profit: (format, value) => format.signedMoney(value),
  meeting_deviation: (format, value) => format.money(value),
  paid_fair: (format, value) => format.decimal(value, 3),
  r2: (format, value) => format.decimal(value, 4),
  favourite_rate: (format, value) => format.percent(value),
  favourite_return: (format, value) => format.signedPercent(value),
  favourite_profit: (format, value) => format.signedMoney(value),
  random_rate: (format, value) => format.percent(value),
  random_return: (format, value) => format.signedPercent(value),
  random_profit: (format, value) => format.signedMoney(value),
  top_three_rate: (format, value) => format.percent(value),
  mean_winner_odds: (format, value) => format.odds(value),
  mean_win_dividend: (format, value) => format.money(value),
  mean_field: (format, value) => format.decimal(value, 1),
  mean_contenders: (format, value) => format.decimal(value, 1),
  contender_rate: (format, value) => format.percent(value),
  contender_chance: (format, value) => format.percent(value),
  with_sections: (format, value) => format.integer(value),
  without_sections: (format, value) => format.integer(value),
  finishing_speed: (format, value) => format.percent(value),
  early_seconds: (format, value) => format.signedDecimal(value, 2),
  late_seconds: (format, value) => format.signedDecimal(value, 2),
  count: (format, value) => format.integer(value),
}

function textsOf(measure: ShownMeasure): (format: Format, value: number) => string {
  if (isTrimmed(measure)) return TEXTS.return
  return Object.hasOwn(TEXTS, measure) ? TEXTS[measure as keyof typeof TEXTS] : ownNumber
}

export const figureText = (format: Format, measure: ShownMeasure, value: number | null): string =>
  value === null ? NONE : textsOf(measure)(format, value)

/** A figure of a group; the bounds of a profit or return that is no single number. */
export function groupText(word: Word, format: Format, row: AnswerRow, measure: ShownMeasure): string {
  const bounded = boundedOf(measure)
  return bounded !== undefined
    ? toldText(word, format, row, bounded)
    : figureText(format, measure, figureOf(row, measure))
}

/** A profit or a return, or its bounds where too many winners have no dividend; a dash where neither is known. */
export function toldText(word: Word, format: Format, row: AnswerRow, of: Bounded): string {
  const show = of.endsWith('profit') ? format.signedMoney : format.signedPercent
  const found = told(row, of)
  if (found === null) return NONE
  return typeof found === 'number' ? show(found) : intervalText(word, found, show)
}

/** Why a profit or a return is no single number; `null` where it is one, or where there is no bet. */
export function reasonText(word: Word, row: AnswerRow): string | null {
  const hits = numberOf(row, 'unknown_hits')
  return judge(row).reported || hits === 0 ? null : word('record.unknownHits', { hits })
}

/** The neutral value of a figure; `null` if only its size matters. */
export function neutralOf(measure: ShownMeasure): number | null {
  const value = standardOf(measure)?.value
  return typeof value === 'number' ? value : null
}

const slotOf = (measure: ShownMeasure) => OWN_SLOTS.find((each) => ownMean(each) === measure)

/** The message id of a measure's heading, which is shorter than its name; means of the user's own columns have only one. */
export function headingId(subject: Subject, measure: ShownMeasure): string {
  const { count, hitRate } = subjectWords(subject)
  if (measure === 'count') return count
  if (measure === 'hit_rate') return hitRate
  if (measure === 'ae_market') return 'workspace.ae'
  return slotOf(measure) === undefined ? `workspace.measure.${measure}` : 'workspace.figures'
}

/** The name of a measure of a subject; means of the user's own columns are named after the column. */
export function useMeasureName(subject: Subject): (measure: ShownMeasure) => string {
  const word = useWord()
  return useCallback(
    (measure) => {
      const slot = slotOf(measure)
      if (isTrimmed(measure)) return word('workspace.measure.return_trimmed', { wins: TRIMMED[measure] })
      if (slot !== undefined) return word('workspace.ownMean', { column: word(`dimension.${slot}`) })
      return word(measure === 'ae_market' ? 'workspace.measure.ae_market' : headingId(subject, measure))
    },
    [word, subject],
  )
}

interface Group {
  /** The group's name. */
  text: string
  row: AnswerRow
  /** The same group with its intervals; undefined until they arrive. */
  found: AnswerRow | undefined
  /** Whether the answer has the market's expectation, which requires the rows. */
  history: boolean
  /** Message id of what the rows are called. */
  heading: string
}

/** The tooltip of a group: its rows, hits of bets, hits against the market's expectation, profit and return, with intervals. */
export function groupHint(word: Word, format: Format, { text, row, found, history, heading }: Group): string {
  const { reported, played } = judge(row)
  const returned = reported ? numberOrNull(row, 'return') : null
  const rate = numberOrNull(row, 'hit_rate')
  const between = (measure: string, show: (value: number) => string): string => {
    const interval = found ? intervalOf(found, measure) : null
    return interval ? word('record.interval', { low: show(interval.low), high: show(interval.high) }) : ''
  }
  const hits = word('record.hitsOf', {
    hits: format.integer(numberOf(row, 'hits')),
    bets: format.integer(played),
  })
  const lines = [
    text,
    `${word(heading)} ${format.integer(countOf(row))}`,
    rate === null ? hits : `${hits}${BETWEEN_FACTS}${format.percent(rate)}`,
    between('hit_rate', (share) => format.percent(share)),
  ]
  if (history)
    lines.push(
      word('workspace.expectedHits', {
        hits: format.integer(numberOf(row, 'market_hits')),
        expected: format.decimal(numberOf(row, 'expected_market'), 1),
      }),
    )
  for (const of of ['profit', 'return'] as const) {
    const text = toldText(word, format, row, of)
    if (text !== NONE) lines.push(`${word(`record.${of}`)} ${text}`)
  }
  if (returned !== null) lines.push(between('return', format.signedPercent))
  lines.push(reasonText(word, row) ?? '')
  return lines.filter(Boolean).join('\n')
}
