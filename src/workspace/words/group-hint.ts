import { intervalOf, numberOf, numberOrNull, type AnswerRow } from '../../data/analytics/cells.ts'
import type { Format } from '../../i18n/format.ts'
import type { Word } from '../../i18n/use-word.ts'
import { judge } from '../query/totals.ts'

interface Group {
  /** The group's name. */
  text: string
  row: AnswerRow
  /** The same group with its intervals; undefined until they arrive. */
  found: AnswerRow | undefined
  /** Whether the answer has the market's expectation, which requires the rows. */
  history: boolean
}

/** The tooltip of a group: predictions, hits of bets, hits against the market's expectation, profit and return, with intervals. */
export function groupHint(word: Word, format: Format, { text, row, found, history }: Group): string {
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
    `${word('record.predictions')} ${format.integer(numberOf(row, 'predictions'))}`,
    rate === null ? hits : `${hits} · ${format.percent(rate)}`,
    between('hit_rate', (share) => format.percent(share)),
  ]
  if (history)
    lines.push(
      word('workspace.expectedHits', {
        hits: format.integer(numberOf(row, 'market_hits')),
        expected: format.decimal(numberOf(row, 'expected_market'), 1),
      }),
    )
  if (reported) lines.push(`${word('record.profit')} ${format.signedMoney(numberOf(row, 'profit'))}`)
  if (returned !== null)
    lines.push(
      `${word('record.return')} ${format.signedPercent(returned)}`,
      between('return', format.signedPercent),
    )
  return lines.filter(Boolean).join('\n')
}
