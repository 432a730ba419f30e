import { FormattedMessage, useIntl } from 'react-intl'
import { numberOf, numberOrNull, textOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { Hidden } from '../../ui/panel.tsx'
import { Small, Table, TextCell } from '../../ui/layout.tsx'
import styles from './race.module.css'

/** Dividends for HK$10, by bet type. */
export function DividendsTable({ rows }: { rows: readonly AnswerRow[] }) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <Table className={styles.dividends} data-testid="dividends">
      <Small as="caption" text="report.dividends" />
      <tbody>
        {rows.map((row, index) => {
          const paid = numberOrNull(row, 'dividend_cents')
          const pool = numberOf(row, 'bet_type')
          const name = intl.formatMessage({ id: `gameplay.${pool}` })
          const isSame = index > 0 && numberOf(rows[index - 1]!, 'bet_type') === pool
          return (
            <tr key={`${pool} ${textOf(row, 'combination')}`}>
              <TextCell scope="row" as="th">
                {isSame ? <Hidden>{name}</Hidden> : name}
              </TextCell>
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
    </Table>
  )
}
