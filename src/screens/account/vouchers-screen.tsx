import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { fetchVouchers } from '../../data/calls/account-calls.ts'
import { keyOf } from '../../data/client/keys.ts'
import { usePages } from '../../data/use-pages.ts'
import { useSession } from '../../data/use-session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Facts } from '../../ui/facts.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import layout from '../../ui/layout.module.css'

/** The user's vouchers: how many are left, and every change. */
export function VouchersScreen() {
  const format = useFormat()
  const left = useSession().data
  return (
    <div className={`${layout.stack} ${layout.narrow}`}>
      <header className={layout.title}>
        <h1>
          <FormattedMessage id="title.vouchers" />
        </h1>
        <p>
          <FormattedMessage id="voucher.about" />
        </p>
      </header>
      {left ? (
        <Panel title={<FormattedMessage id="voucher.balance" />}>
          <Facts
            facts={[
              ['voucher.daily', format.integer(left.everyDayFreeNum)],
              ['voucher.noExpiry', format.integer(left.subscribeFreeNum)],
            ]}
          />
        </Panel>
      ) : null}
      <Ledger />
    </div>
  )
}

function Ledger() {
  const intl = useIntl()
  const format = useFormat()
  const pages = usePages(
    keyOf('vouchers', intl.locale),
    async (pageNo, signal) => (await fetchVouchers(pageNo, signal)).records,
  )
  if (pages.error) return <ErrorNotice error={pages.error} onRetry={pages.retry} />
  if (pages.isPending) return <Skeleton height={160} />
  if (pages.rows.length === 0)
    return (
      <Empty
        action={
          <Link className={layout.linkButton} to="/pages/user/share">
            <FormattedMessage id="title.share" />
          </Link>
        }
      >
        <FormattedMessage id="voucher.none" />
      </Empty>
    )
  return (
    <Panel title={<FormattedMessage id="voucher.changes" />}>
      <ul className={layout.list}>
        {pages.rows.map((row) => (
          <li key={row.id} className={layout.entry}>
            <span>
              <FormattedMessage id={`voucherReason.${row.reason}`} />
              <br />
              <span className={layout.small}>
                <FormattedMessage id={row.kind === 'daily' ? 'voucher.daily' : 'voucher.noExpiry'} /> ·{' '}
                {format.instant(row.createTime)}
              </span>
            </span>
            <span className={`${layout.right} ${row.amount < 0 ? layout.loss : layout.gain}`}>
              {format.signedDecimal(row.amount, 0)}
              <br />
              <span className={layout.small}>
                <FormattedMessage id="voucher.change" values={{ before: row.before, after: row.after }} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      <LoadMore hasMore={pages.hasMore} loading={pages.loading} onMore={pages.more} />
    </Panel>
  )
}
