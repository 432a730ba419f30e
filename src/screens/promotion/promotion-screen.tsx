import { useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { customerPage, queryMyCustomerTotal, withdrawalPage } from '../../../contract/api/trade.ts'
import { useToken } from '../../data/client/session.ts'
import { usePages } from '../../data/use-pages.ts'
import { SettlementCalendar, useInstalments } from '../../features/promotion/earnings.tsx'
import styles from '../../features/promotion/promotion.module.css'
import { Withdrawals } from '../../features/promotion/withdrawals.tsx'
import { ShareButtons } from '../../features/share/share-buttons.tsx'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import {
  ColumnHeadings,
  Columns,
  Facts,
  LinkButton,
  PageTitle,
  Row,
  ScrollRegion,
  Stack,
  Table,
} from '../../ui/layout.tsx'
import { ProvidersOnly } from './providers-only.tsx'
import { queryFor } from '../../data/client/call.ts'

export const PromotionScreen = () => (
  <Stack>
    <PageTitle title="title.promotion" lead="promotion.lead" />
    <ProvidersOnly height={360}>{({ id }) => <Centre id={id} />}</ProvidersOnly>
  </Stack>
)

function Centre({ id }: { id: string }) {
  const format = useFormat()
  const totals = useQuery({ ...queryFor(queryMyCustomerTotal, {}, useToken()), retry: 1 })
  const intl = useIntl()
  const instalments = useInstalments()
  const withdrawals = usePages(withdrawalPage, {}, intl.locale, useToken())
  const of = totals.data
  // What stands below them would move when they come.
  if (totals.isPending || instalments.isPending || withdrawals.isPending) return <Skeleton height={600} />
  return (
    <>
      {totals.error ? <ErrorNotice error={totals.error} onRetry={() => void totals.refetch()} /> : null}
      {of ? (
        <Facts
          className={styles.totals}
          facts={[
            ['promotion.customers', format.integer(of.customers)],
            ['promotion.orders', format.integer(of.orders)],
            ['promotion.earned', format.hkd(of.earned)],
            ['promotion.settled', format.hkd(of.settled)],
            ['promotion.withdrawn', format.hkd(of.withdrawn)],
            ['promotion.withdrawable', format.hkd(of.withdrawable)],
          ]}
        />
      ) : null}
      <Row>
        <LinkButton to="/pages/user/withdrawal" text="title.withdrawal" />
        <LinkButton quiet to="/pages/user/bankCard" text="title.bankCard" />
      </Row>
      <Columns>
        <Panel title={<FormattedMessage id="promotion.calendar" />}>
          <SettlementCalendar />
        </Panel>
        <Panel title={<FormattedMessage id="withdrawal.list" />}>
          <Withdrawals />
        </Panel>
      </Columns>
      <Panel title={<FormattedMessage id="promotion.customers" />}>
        <Customers />
      </Panel>
      <Panel title={<FormattedMessage id="share.link" />}>
        <ShareButtons sharerId={id} />
      </Panel>
    </>
  )
}

const CUSTOMER_COLUMNS = [
  'form.nickname',
  'promotion.registered',
  'promotion.orders',
  'order.paid',
  'promotion.fee',
]

function Customers() {
  const intl = useIntl()
  const format = useFormat()
  const pages = usePages(customerPage, {}, intl.locale, useToken())
  if (pages.error) return <ErrorNotice error={pages.error} onRetry={pages.retry} />
  if (pages.isPending) return <Skeleton height={160} />
  if (pages.isEmpty) return <FormattedMessage id="promotion.noCustomers" tagName="p" />
  return (
    <>
      <ScrollRegion label="promotion.customers">
        <Table>
          <ColumnHeadings ids={CUSTOMER_COLUMNS} />
          <tbody>
            {pages.rows.map((row) => (
              <tr key={row.id}>
                <td>{row.nickname}</td>
                <td>{format.instantDay(row.registerTime)}</td>
                <td>{format.integer(row.orders)}</td>
                <td>{format.hkd(row.paid)}</td>
                <td>{format.hkd(row.fee)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </ScrollRegion>
      <LoadMore {...pages} />
    </>
  )
}
