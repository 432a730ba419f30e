import type { IntlShape } from 'react-intl'
import { intervalOf, numberOf, numberOrNull, type AnswerRow } from '../../data/analytics/cells.ts'
import type { Format } from '../../i18n/format.ts'
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
export function groupHint(intl: IntlShape, format: Format, { text, row, found, history }: Group): string {
  const { reported, played } = judge(row)
  const returned = reported ? numberOrNull(row, 'return') : null
  const interval = found && returned !== null ? intervalOf(found, 'return') : null
  const hits = found ? intervalOf(found, 'hit_rate') : null
  const rate = numberOrNull(row, 'hit_rate')
  const name = (id: string): string => intl.formatMessage({ id })
  const between = (low: string, high: string): string =>
    intl.formatMessage({ id: 'record.interval' }, { low, high })
  return [
    text,
    `${name('record.predictions')} ${format.integer(numberOf(row, 'predictions'))}`,
    [
      intl.formatMessage(
        { id: 'record.hitsOf' },
        { hits: format.integer(numberOf(row, 'hits')), bets: format.integer(played) },
      ),
      rate === null ? '' : format.percent(rate),
    ]
      .filter(Boolean)
      .join(' · '),
    hits ? between(format.percent(hits.low), format.percent(hits.high)) : '',
    history
      ? intl.formatMessage(
          { id: 'workspace.expectedHits' },
          {
            hits: format.integer(numberOf(row, 'market_hits')),
            expected: format.decimal(numberOf(row, 'expected_market'), 1),
          },
        )
      : '',
    reported ? `${name('record.profit')} ${format.signedMoney(numberOf(row, 'profit'))}` : '',
    returned === null ? '' : `${name('record.return')} ${format.signedPercent(returned)}`,
    interval ? between(format.signedPercent(interval.low), format.signedPercent(interval.high)) : '',
  ]
    .filter(Boolean)
    .join('\n')
}
