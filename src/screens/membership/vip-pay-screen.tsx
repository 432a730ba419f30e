import { useMutation, useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { createOrder, queryVipList } from '../../../contract/api/trade.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { Facts, LinkButton, Small, Stack } from '../../ui/layout.tsx'
import form from '../../ui/fields/form.module.css'
import { call, queryFor } from '../../data/client/call.ts'

/** An order before payment: plan, period, price. */
export function VipPayScreen() {
  const [params] = useSearchParams()
  const intl = useIntl()
  const format = useFormat()
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
  if (!plans.data) return <Skeleton height={260} />
  const plan = plans.data.find(({ id }) => id === params.get('id'))
  if (!plan)
    return <Empty action={<LinkButton to="/pages/race/viplist" text="title.vipList" />} text="field.plan" />
  return (
    <Stack narrow>
      <FormattedMessage id="title.vipPay" tagName="h1" />
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
        busy={pay.isPending || pay.isSuccess}
        onClick={() => pay.mutate(plan.id)}
      >
        <FormattedMessage
          id={pay.isPending || pay.isSuccess ? 'vip.paying' : 'vip.pay'}
          values={{ price: format.hkd(plan.sellingPrice) }}
        />
      </Button>
      <Small text="vip.payHint" />
    </Stack>
  )
}
