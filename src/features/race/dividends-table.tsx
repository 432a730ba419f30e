import { FormattedMessage, useIntl } from 'react-intl'
import { numberOf, numberOrNull, textOf } from '../../data/analytics/cells.ts'
import type { AnswerRow } from '../../data/analytics/decode.ts'
import { useFormat } from '../../i18n/format.ts'
import { Hidden } from '../../ui/panel.tsx'
import layout from '../../ui/layout.module.css'
import styles from './race.module.css'

/** Dividends for HK$10, by bet type. */
export function DividendsTable({ rows }: { rows: readonly AnswerRow[] }) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <table className={`${layout.table} ${styles.dividends}`} data-testid="dividends">
      <caption className={layout.small}>
        <FormattedMessage id="report.dividends" />
      </caption>
      <tbody>
        {rows.map((row, index) => {
          const paid = numberOrNull(row, 'dividend_cents')
          const pool = numberOf(row, 'bet_type')
          const name = intl.formatMessage({ id: `gameplay.${pool}` })
          const isSame = index > 0 && numberOf(rows[index - 1]!, 'bet_type') === pool
          return (
            <tr key={`${pool} ${textOf(row, 'combination')}`}>
              <th scope="row" className={layout.left}>
                {isSame ? <Hidden>{name}</Hidden> : name}
              </th>
              <td>{textOf(row, 'combination')}</td>
              <td>
                {textOf(row, 'status') === 'refund' ? (
                  <FormattedMessage id="race.refund" />
                ) : paid === null ? (
                  '–'
                ) : (
                  format.money(paid)
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
