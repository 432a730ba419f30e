import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { fetchShareLog } from '../../data/calls/account-calls.ts'
import { usePages } from '../../data/use-pages.ts'
import { useFormat } from '../../i18n/format.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import layout from '../../ui/layout.module.css'
import { keyOf } from '../../data/client/keys.ts'

/** Users who registered through the user's link, and the rewards. */
export function ShareLogScreen() {
  return (
    <div className={`${layout.stack} ${layout.narrow}`}>
      <h1>
        <FormattedMessage id="title.shareLog" />
      </h1>
      <Rewards />
    </div>
  )
}

function Rewards() {
  const intl = useIntl()
  const format = useFormat()
  const pages = usePages(
    keyOf('share-log', intl.locale),
    async (pageNo, signal) => (await fetchShareLog(pageNo, signal)).records,
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
        <FormattedMessage id="share.none" />
      </Empty>
    )
  return (
    <>
      <ul className={layout.list}>
        {pages.rows.map((row) => (
          <li key={`${row.createTime} ${row.recipient}`} className={layout.card}>
            <div className={layout.spread}>
              <strong>{row.recipient}</strong>
              <span className={layout.gain}>
                {row.rewardType === 1 ? (
                  <FormattedMessage id="share.rewarded" values={{ count: row.rewardAmount }} />
                ) : (
                  <FormattedMessage id="share.otherReward" values={{ count: row.rewardAmount }} />
                )}
              </span>
            </div>
            <span className={layout.small}>
              {format.instant(row.createTime)} ·{' '}
              <FormattedMessage id="voucher.change" values={{ before: row.beforeNum, after: row.afterNum }} />
            </span>
          </li>
        ))}
      </ul>
      <LoadMore hasMore={pages.hasMore} loading={pages.loading} onMore={pages.more} />
    </>
  )
}
