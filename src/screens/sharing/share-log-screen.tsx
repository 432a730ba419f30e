import { Gift } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { shareLogPage } from '../../../contract/api/account.ts'
import { useToken } from '../../data/client/session.ts'
import { usePages } from '../../data/use-pages.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'
import { useFormat } from '../../i18n/format.ts'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Card, LinkButton, List, Row, Small, Stack } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'

/** Users who registered through the user's link, and the rewards. */
export const ShareLogScreen = () => (
  <Stack narrow>
    <FormattedMessage id="title.shareLog" tagName="h1" />
    <Rewards />
  </Stack>
)

function Rewards() {
  const intl = useIntl()
  const format = useFormat()
  const pages = usePages(shareLogPage, {}, intl.locale, useToken())
  if (pages.error) return <ErrorNotice error={pages.error} onRetry={pages.retry} />
  if (pages.isPending) return <Skeleton height={160} />
  if (pages.isEmpty)
    return (
      <Empty
        icon={Gift}
        action={<LinkButton to="/pages/user/share" text="title.share" />}
        text="share.none"
      />
    )
  return (
    <>
      <List>
        {pages.rows.map((row) => (
          <Card key={`${row.createTime} ${row.recipient}`}>
            <Row spread>
              <strong>{row.recipient}</strong>
              <span className={texts.gain}>
                {row.rewardType === 1 ? (
                  <FormattedMessage id="share.rewarded" values={{ count: row.rewardAmount }} />
                ) : (
                  <FormattedMessage id="share.otherReward" values={{ count: row.rewardAmount }} />
                )}
              </span>
            </Row>
            <Small as="span">
              <span className={texts.whole}>{format.instant(row.createTime)}</span>
              {BETWEEN_FACTS}
              <FormattedMessage id="voucher.change" values={{ before: row.beforeNum, after: row.afterNum }} />
            </Small>
          </Card>
        ))}
      </List>
      <LoadMore {...pages} />
    </>
  )
}
