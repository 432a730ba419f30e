import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Receipt } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import {
  cancelOrder,
  orderPage,
  queryOrderMainStatus,
  type Order,
  type OrderState,
} from '../../../contract/api/trade.ts'
import { useToken } from '../../data/client/session.ts'
import { usePages } from '../../data/use-pages.ts'
import styles from '../../features/membership/membership.module.css'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { OneOf } from '../../ui/fields/choices.tsx'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Badge, Facts, LinkButton, List, Row, Stack, TextLink } from '../../ui/layout.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { askAgain, call, queryFor } from '../../data/client/call.ts'

const STATES: readonly OrderState[] = ['obligation', 'accountPaid', 'closed', 'refunded']

/** The filter in the address; an invalid detail selects the whole list (decisions section 9). */
function stateOfDetail(detail: string | null): OrderState | null {
  try {
    const { tag } = JSON.parse(detail ?? 'null') as { tag?: unknown }
    return STATES.find((state) => state === tag) ?? null
  } catch {
    return null
  }
}

export function OrdersScreen() {
  const [params, setParams] = useSearchParams()
  const intl = useIntl()
  const state = stateOfDetail(params.get('detail'))
  const token = useToken()
  const counts = useQuery(queryFor(queryOrderMainStatus, {}, token))
  const pages = usePages(orderPage, { state }, intl.locale, token)
  const label = (each: OrderState): string => {
    const name = intl.formatMessage({ id: `orderState.${each}` })
    // Without an answer the counts are unknown, not 0.
    return counts.data
      ? intl.formatMessage({ id: 'order.stateCount' }, { state: name, count: counts.data[each] ?? 0 })
      : name
  }
  // Without any order there is nothing to filter.
  const some =
    state !== null || pages.rows.length > 0 || STATES.some((each) => (counts.data?.[each] ?? 0) > 0)
  return (
    <Stack narrow>
      <Row as="header" spread>
        <FormattedMessage id="title.orders" tagName="h1" />
        {some || counts.isPending ? <TextLink to="/pages/race/viplist" text="title.vipList" /> : null}
      </Row>
      {/* Whether there is a filter above the list is known with the counts. */}
      {some && !counts.isPending ? (
        <OneOf
          legend={<FormattedMessage id="order.state" />}
          value={state ?? ''}
          choices={[
            { value: '', label: <FormattedMessage id="record.all" /> },
            ...STATES.map((value) => ({ value, label: label(value) })),
          ]}
          onChange={(value) =>
            setParams(value === '' ? {} : { detail: JSON.stringify({ tag: value }) }, {
              replace: true,
              flushSync: true,
            })
          }
        />
      ) : null}
      {pages.error ? <ErrorNotice error={pages.error} onRetry={pages.retry} /> : null}
      {pages.isPending || counts.isPending ? <Skeleton height={260} /> : null}
      {counts.isPending ? null : <Orders pages={pages} />}
    </Stack>
  )
}

/** The orders, or that there are none. */
function Orders({ pages }: { pages: ReturnType<typeof usePages<typeof orderPage>> }) {
  return (
    <>
      {pages.isEmpty ? (
        <Empty
          icon={Receipt}
          action={<LinkButton to="/pages/race/viplist" text="order.toPlans" />}
          text="order.none"
        />
      ) : null}
      <List>
        {pages.rows.map((order) => (
          <OrderCard key={order.id} order={order} />
        ))}
      </List>
      {pages.rows.length > 0 ? <LoadMore {...pages} /> : null}
    </>
  )
}

function OrderCard({ order }: { order: Order }) {
  const format = useFormat()
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => call(cancelOrder, { id: order.id }),
    onSettled: () => askAgain(client, orderPage, queryOrderMainStatus),
  })
  return (
    <li className={styles.order}>
      <Row spread>
        <strong>{order.planName}</strong>
        <Badge tone={order.state === 'accountPaid' ? 'gain' : 'soft'}>
          <FormattedMessage id={`orderState.${order.state}`} />
        </Badge>
      </Row>
      <Facts
        facts={[
          ['vip.originalPrice', format.hkd(order.originalPrice)],
          ['vip.toPay', format.hkd(order.transactionAmount)],
          ['order.paid', order.paidPrice === null ? null : format.hkd(order.paidPrice)],
          ['order.created', format.instant(order.createTime)],
          order.state === 'obligation'
            ? ['order.expires', format.instant(order.expireTime)]
            : ['order.payTime', order.payTime === null ? null : format.instant(order.payTime)],
        ]}
      />
      {cancel.error ? <ErrorNotice error={cancel.error} /> : null}
      {order.payUrl === null ? null : (
        <Row>
          <LinkButton href={order.payUrl}>
            <FormattedMessage id="vip.pay" values={{ price: format.hkd(order.transactionAmount) }} />
          </LinkButton>
          <Button busy={cancel.isPending} onClick={() => cancel.mutate()} text="order.cancel" />
        </Row>
      )}
    </li>
  )
}
