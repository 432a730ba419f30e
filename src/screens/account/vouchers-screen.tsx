import { Ticket } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { voucherPage } from '../../../contract/api/account.ts'
import { useToken } from '../../data/client/session.ts'
import { usePages } from '../../data/use-pages.ts'
import { useSession } from '../../data/use-session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { Entry, Facts, LinkButton, List, PageTitle, Small, Stack } from '../../ui/layout.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import texts from '../../ui/text.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** The user's vouchers: how many are left, and every change. */
export function VouchersScreen() {
  const format = useFormat()
  const left = useSession().data
  return (
    <Stack narrow>
      <PageTitle title="title.vouchers" lead="voucher.about" />
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
    </Stack>
  )
}

function Ledger() {
  const intl = useIntl()
  const format = useFormat()
  const pages = usePages(voucherPage, {}, intl.locale, useToken())
  if (pages.error) return <ErrorNotice error={pages.error} onRetry={pages.retry} />
  if (pages.isPending) return <Skeleton height={160} />
  if (pages.isEmpty)
    return (
      <Empty
        icon={Ticket}
        action={<LinkButton to="/pages/user/share" text="title.share" />}
        text="voucher.none"
      />
    )
  return (
    <Panel title={<FormattedMessage id="voucher.changes" />}>
      <List>
        {pages.rows.map((row) => (
          <Entry key={row.id}>
            <span>
              <FormattedMessage id={`voucherReason.${row.reason}`} />
              <br />
              <Small as="span">
                <FormattedMessage id={row.kind === 'daily' ? 'voucher.daily' : 'voucher.noExpiry'} />
                {BETWEEN_FACTS}
                <span className={texts.whole}>{format.instant(row.createTime)}</span>
              </Small>
            </span>
            <span className={`${texts.right} ${row.amount < 0 ? texts.loss : texts.gain}`}>
              {format.signedDecimal(row.amount, 0)}
              <br />
              <Small as="span">
                <FormattedMessage id="voucher.change" values={{ before: row.before, after: row.after }} />
              </Small>
            </span>
          </Entry>
        ))}
      </List>
      <LoadMore {...pages} />
    </Panel>
  )
}
