import { useMutation, useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { createOrder, fetchPlans } from '../../data/calls/trade-calls.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import form from '../../ui/fields/form.module.css'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Small } from '../../ui/layout/small.tsx'
import { Stack } from '../../ui/layout/stack.tsx'
import { keyOf } from '../../data/client/keys.ts'

/** An order before payment: plan, period, price. */
export function VipPayScreen() {
  const [params] = useSearchParams()
  const intl = useIntl()
  const format = useFormat()
  const plans = useQuery({
    queryKey: keyOf('plans', intl.locale),
    queryFn: ({ signal }) => fetchPlans(signal),
    staleTime: 300_000,
    retry: 1,
  })
  const pay = useMutation({
    mutationFn: createOrder,
    // A second click finds the same open order, so nothing is ordered twice.
    onSuccess: ({ payUrl }) => globalThis.location.assign(payUrl),
  })
  if (plans.error) return <ErrorNotice error={plans.error} onRetry={() => void plans.refetch()} />
  if (!plans.data) return <Skeleton height={260} />
  const plan = plans.data.find(({ id }) => id === params.get('id'))
  if (!plan)
    return (
      <Empty
        action={
          <LinkButton to="/pages/race/viplist">
            <FormattedMessage id="title.vipList" />
          </LinkButton>
        }
      >
        <FormattedMessage id="field.plan" />
      </Empty>
    )
  return (
    <Stack narrow>
      <h1>
        <FormattedMessage id="title.vipPay" />
      </h1>
      <Panel title={plan.name}>
        <Facts
          facts={[
            ['vip.length', intl.formatMessage({ id: 'vip.months' }, { months: plan.length })],
            ['vip.originalPrice', format.hkd(plan.price)],
            ['vip.toPay', format.hkd(plan.sellingPrice)],
          ]}
        />
      </Panel>
      {pay.error ? <ErrorNotice error={pay.error} /> : null}
      <Button
        primary
        className={form.submit}
        disabled={pay.isPending || pay.isSuccess}
        onClick={() => pay.mutate(plan.id)}
      >
        <FormattedMessage id={pay.isPending || pay.isSuccess ? 'vip.paying' : 'vip.pay'} />
      </Button>
      <Small>
        <FormattedMessage id="vip.payHint" />
      </Small>
    </Stack>
  )
}
