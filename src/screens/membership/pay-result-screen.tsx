import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Clock3 } from 'lucide-react'
import { useEffect } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link, useSearchParams } from 'react-router-dom'
import { fetchOrder } from '../../data/calls/trade-calls.ts'
import { useRefreshAccount, useSession } from '../../data/use-session.ts'
import outcome from '../../ui/outcome.module.css'
import { useFormat } from '../../i18n/format.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import layout from '../../ui/layout.module.css'
import { keyOf } from '../../data/client/keys.ts'

/** Polling interval, because a payment may be confirmed after the user has returned. */
const AGAIN_MS = 2000

/** The result of a payment, according to the order, not to the address. */
export function PayResultScreen() {
  const [params] = useSearchParams()
  const id = params.get('order') ?? ''
  const said = params.get('result')
  const refresh = useRefreshAccount()
  const order = useQuery({
    queryKey: keyOf('order', id),
    queryFn: ({ signal }) => fetchOrder(id, signal),
    enabled: id !== '',
    retry: 1,
    refetchInterval: ({ state }) =>
      said === 'success' && state.data?.state === 'obligation' ? AGAIN_MS : false,
  })
  const state = order.data?.state
  useEffect(() => {
    if (state === 'accountPaid') void refresh()
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [state])
  if (id === '') return <NoOrder />
  if (order.error) return <ErrorNotice error={order.error} onRetry={() => void order.refetch()} />
  if (!order.data) return <Skeleton height={260} />
  if (state === 'accountPaid') return <Paid />
  const waiting = state === 'obligation' && said === 'success'
  return (
    <Unpaid
      reason={waiting ? 'waiting' : said === 'timeout' || state === 'closed' ? 'timeout' : 'failed'}
      planId={order.data.planId}
    />
  )
}

const NoOrder = () => (
  <section>
    <h1>
      <FormattedMessage id="title.payResult" />
    </h1>
    <Empty
      action={
        <Link className={layout.linkButton} to="/pages/race/viporderlist">
          <FormattedMessage id="title.orders" />
        </Link>
      }
    >
      <FormattedMessage id="pay.noOrder" />
    </Empty>
  </section>
)

function Paid() {
  const format = useFormat()
  const { data: account } = useSession()
  return (
    <section className={`${outcome.outcome} ${layout.narrow}`} role="status">
      <CircleCheck aria-hidden="true" size={52} className={outcome.good} />
      <h1>
        <FormattedMessage id="pay.success" />
      </h1>
      {account?.vipStartTime && account.vipEndTime ? (
        <p>
          <FormattedMessage
            id="pay.validity"
            values={{
              from: format.instantDay(account.vipStartTime),
              to: format.instantDay(account.vipEndTime),
            }}
          />
        </p>
      ) : null}
      <Link className={layout.linkButton} to="/pages/race/racehome">
        <FormattedMessage id="pay.toTips" />
      </Link>
      <Link to="/pages/user/fypeople">
        <FormattedMessage id="title.centre" />
      </Link>
    </section>
  )
}

/** A payment that is not confirmed yet, or that can be made again. */
function Unpaid({ reason, planId }: { reason: 'waiting' | 'timeout' | 'failed'; planId: string }) {
  const waiting = reason === 'waiting'
  const Icon = waiting ? Clock3 : CircleX
  return (
    <section className={`${outcome.outcome} ${layout.narrow}`} role="status">
      <Icon aria-hidden="true" size={52} className={waiting ? '' : outcome.bad} />
      <h1>
        <FormattedMessage id={`pay.${reason}`} />
      </h1>
      {waiting ? null : (
        <>
          <FormattedMessage id="pay.again" tagName="p" />
          <Link className={layout.linkButton} to={`/pages/race/vippay?id=${planId}`}>
            <FormattedMessage id="pay.payAgain" />
          </Link>
        </>
      )}
      <Link to="/pages/race/viporderlist">
        <FormattedMessage id="title.orders" />
      </Link>
    </section>
  )
}
