import { useMutation, useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { createOrder, queryVipList, type Plan } from '../../../contract/api/trade.ts'
import { extendVip } from '../../../domain/membership.ts'
import { parseCents } from '../../../domain/money.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { Facts, LinkButton, Small, Stack, TextLink } from '../../ui/layout.tsx'
import form from '../../ui/fields/form.module.css'
import { call, queryFor } from '../../data/client/call.ts'
import { useMinute } from '../../data/use-now.ts'
import { useSession } from '../../data/use-session.ts'

/** What a plan costs less than its months paid one by one, in cents; `null` if it is no less. */
function savingOf(plan: Plan, plans: readonly Plan[]): number | null {
  const monthly = plans.find(({ length }) => length === 1)
  if (monthly === undefined) return null
  const saving = parseCents(monthly.sellingPrice) * plan.length - parseCents(plan.sellingPrice)
  return saving > 0 ? saving : null
}

/** An order before payment: plan, period, until when VIP lasts with it, price, and what becomes of a refund. */
export function VipPayScreen() {
  const [params] = useSearchParams()
  const intl = useIntl()
  const format = useFormat()
  const now = new Date(useMinute())
  const account = useSession()
  const plans = useQuery({
    ...queryFor(queryVipList, { category: 1 }, intl.locale),
    staleTime: 300_000,
    retry: 1,
  })
  const pay = useMutation({
    mutationFn: (planId: string) => call(createOrder, { planId }),
    // A second click finds the same open order, so nothing is ordered twice.
    onSuccess: ({ payUrl }) => globalThis.location.assign(payUrl),
  })
  if (plans.error) return <ErrorNotice error={plans.error} onRetry={() => void plans.refetch()} />
  if (!plans.data || account.isLoading) return <Skeleton height={260} />
  const plan = plans.data.find(({ id }) => id === params.get('id'))
  if (!plan)
    return <Empty action={<LinkButton to="/pages/race/viplist" text="title.vipList" />} text="field.plan" />
  const presentEnd = account.data?.vipEndTime ?? null
  const until = extendVip(now, presentEnd === null ? null : new Date(presentEnd), plan.length).end
  const saving = savingOf(plan, plans.data)
  return (
    <Stack narrow>
      <FormattedMessage id="title.vipPay" tagName="h1" />
      <Panel title={plan.name}>
        <Facts
          knownOnly
          facts={[
            ['vip.length', intl.formatMessage({ id: 'vip.months' }, { months: plan.length })],
            // Without the account it is not known when a membership that lasts would end.
            ['vip.until', account.data ? format.instantDay(until.toISOString()) : null],
            ['vip.originalPrice', format.hkd(plan.price)],
            ['vip.saving', saving === null ? null : format.hkdCents(saving)],
            ['vip.toPay', format.hkd(plan.sellingPrice)],
          ]}
        />
      </Panel>
      {pay.error ? <ErrorNotice error={pay.error} /> : null}
      <Button
        primary
        className={form.submit}
        busy={pay.isPending || pay.isSuccess}
        onClick={() => pay.mutate(plan.id)}
      >
        <FormattedMessage
          id={pay.isPending || pay.isSuccess ? 'vip.paying' : 'vip.pay'}
          values={{ price: format.hkd(plan.sellingPrice) }}
        />
      </Button>
      <Small text="vip.payHint" />
      <Small>
        <FormattedMessage id="vip.refund" /> <TextLink to="/pages/login/protocal" text="legal.terms" />
      </Small>
    </Stack>
  )
}
