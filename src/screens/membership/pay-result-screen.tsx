import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Clock3 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { queryOrder } from '../../../contract/api/trade.ts'
import { useToken } from '../../data/client/session.ts'
import { forgetWantedRace, wantedRace } from '../../data/wanted-race.ts'
import { useRefreshAccount, useSession } from '../../data/use-session.ts'
import { LinkButton, Outcome, TextLink } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import { useFormat } from '../../i18n/format.ts'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { queryFor } from '../../data/client/call.ts'

/** Polling interval, because a payment may be confirmed after the user has returned. */
const AGAIN_MS = 2000

/** The result of a payment, according to the order, not to the address. */
export function PayResultScreen() {
  const [params] = useSearchParams()
  const id = params.get('order') ?? ''
  const said = params.get('result')
  const refresh = useRefreshAccount()
  const order = useQuery({
    ...queryFor(queryOrder, id === '' ? null : { id }, useToken()),
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
  const waiting = state === 'obligation' && said === 'success'
  // One element for every state: screen readers announce a change within it, but not a new one.
  return (
    <Outcome role="status">
      {state === 'accountPaid' ? (
        <Paid />
      ) : (
        <Unpaid
          reason={waiting ? 'waiting' : said === 'timeout' || state === 'closed' ? 'timeout' : 'failed'}
          planId={order.data.planId}
        />
      )}
    </Outcome>
  )
}

const NoOrder = () => (
  <section>
    <FormattedMessage id="title.payResult" tagName="h1" />
    <Empty action={<LinkButton to="/pages/race/viporderlist" text="title.orders" />} text="pay.noOrder" />
  </section>
)

function Paid() {
  const format = useFormat()
  const { data: account } = useSession()
  const [raceId] = useState(wantedRace)
  return (
    <>
      <CircleCheck aria-hidden="true" size={52} className={texts.gain} />
      <FormattedMessage
        id="pay.success"
        values={{ until: account?.vipEndTime ? format.instantDay(account.vipEndTime) : 'unknown' }}
        tagName="h1"
      />
      {account?.vipStartTime && account.vipEndTime ? (
        <FormattedMessage
          id="pay.validity"
          values={{
            from: format.instantDay(account.vipStartTime),
            to: format.instantDay(account.vipEndTime),
          }}
          tagName="p"
        />
      ) : null}
      {raceId === null ? null : (
        <LinkButton to={`/pages/race/HorseRace?id=${raceId}`} onClick={forgetWantedRace} text="pay.toRace" />
      )}
      <LinkButton quiet={raceId !== null} to="/pages/race/racehome" text="pay.toTips" />
      <TextLink to="/pages/user/fypeople" text="title.centre" />
    </>
  )
}

/** A payment that is not confirmed yet, or that can be made again. */
function Unpaid({ reason, planId }: { reason: 'waiting' | 'timeout' | 'failed'; planId: string }) {
  const waiting = reason === 'waiting'
  const Icon = waiting ? Clock3 : CircleX
  return (
    <>
      <Icon aria-hidden="true" size={52} className={waiting ? '' : texts.loss} />
      <FormattedMessage id={`pay.${reason}`} tagName="h1" />
      {waiting ? null : (
        <>
          <FormattedMessage id="pay.again" tagName="p" />
          <LinkButton to={`/pages/race/vippay?id=${planId}`} text="pay.payAgain" />
        </>
      )}
      <TextLink to="/pages/race/viporderlist" text="title.orders" />
    </>
  )
}
