import { FormattedMessage, useIntl } from 'react-intl'
import { fetchWithdrawals } from '../../data/calls/trade-calls.ts'
import { usePages } from '../../data/use-pages.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import layout from '../../ui/layout.module.css'
import { keyOf } from '../../data/client/keys.ts'

const TONES = { waiting: layout.accent, paid: layout.gain, refused: layout.loss } as const

/** Withdrawal requests and their status. */
export function Withdrawals() {
  const intl = useIntl()
  const format = useFormat()
  const pages = usePages(
    keyOf('withdrawals', intl.locale),
    async (pageNo, signal) => (await fetchWithdrawals(pageNo, signal)).records,
  )
  if (pages.error) return <ErrorNotice error={pages.error} onRetry={pages.retry} />
  if (pages.isPending) return <Skeleton height={120} />
  if (pages.rows.length === 0) return <FormattedMessage id="withdrawal.none" tagName="p" />
  return (
    <>
      <ul className={layout.list}>
        {pages.rows.map((row) => (
          <li key={row.id} className={layout.entry}>
            <span>
              <strong>{format.hkd(row.amount)}</strong>
              <br />
              <span className={layout.small}>
                {row.bank} · {format.card(row.cardNumber)} · {format.instant(row.createTime)}
              </span>
            </span>
            <span className={`${layout.badge} ${TONES[row.state]}`}>
              <FormattedMessage id={`withdrawalState.${row.state}`} />
            </span>
          </li>
        ))}
      </ul>
      <LoadMore hasMore={pages.hasMore} loading={pages.loading} onMore={pages.more} />
    </>
  )
}
