import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useNavigate } from 'react-router-dom'
import { loginPath } from '../../data/login-path.ts'
import { readToken, useToken } from '../../data/client/session.ts'
import type { AccountInfo } from '../../../contract/api/account.ts'
import { queryProof } from '../../../contract/api/model.ts'
import { queryVipList } from '../../../contract/api/trade.ts'
import { useRegion } from '../../data/use-region.ts'
import { useSession } from '../../data/use-session.ts'
import { Benefits, Comparison, Plans } from '../../features/membership/plans.tsx'
import { Sample } from '../../features/membership/sample.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Notice, Skeleton } from '../../ui/panel.tsx'
import { showToast, TOAST_MS } from '../../ui/toast.tsx'
import form from '../../ui/fields/form.module.css'
import { Row, Small, Stack, TextLink } from '../../ui/layout.tsx'
import styles from './vip-list-screen.module.css'
import { queryFor } from '../../data/client/call.ts'

/** Plan that is selected at first (specification section 2). */
const FIRST_PLAN = '1'
/** Of four plans side by side. */
const PLANS_HEIGHT = 180

export function VipListScreen() {
  const token = useToken()
  const session = useSession()
  return (
    <Stack>
      <Row as="header" spread>
        <FormattedMessage id="title.vipList" tagName="h1" />
        <TextLink to="/pages/race/viporderlist" text="title.orders" />
      </Row>
      {token !== null && session.isPending ? (
        // What is said of the membership stands above the rest, which would move when it comes.
        <Skeleton height={600} />
      ) : (
        <Offer account={session.data ?? null} />
      )}
    </Stack>
  )
}

/** The benefits, the plans, and the button that orders one; to a VIP also until when the membership lasts. */
function Offer({ account }: { account: AccountInfo | null }) {
  const intl = useIntl()
  const format = useFormat()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<string | null>(FIRST_PLAN)
  const [submitting, setSubmitting] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const plans = useQuery({
    ...queryFor(queryVipList, { category: 1 }, intl.locale),
    staleTime: 300_000,
    retry: 1,
  })
  const { region } = useRegion()
  const proof = useQuery({
    ...queryFor(queryProof, region && { countryRegionId: region.id }),
    staleTime: 300_000,
    retry: 1,
  })
  const isPending = plans.isPending || proof.isLoading
  const racesPerYear = proof.data ? Math.round(proof.data.races / proof.data.seasons.length) : null
  const subscribe = (): void => {
    const plan = plans.data?.find(({ id }) => id === chosen)
    if (!plan) return showToast(intl.formatMessage({ id: 'field.plan' }), 'bad')
    const target = `/pages/race/vippay?id=${plan.id}`
    if (readToken() === null) {
      showToast(intl.formatMessage({ id: 'error.signed-out' }), 'plain', TOAST_MS.long)
      void navigate(loginPath(target))
      return
    }
    setSubmitting(true)
    showToast(intl.formatMessage({ id: 'vip.submitting' }), 'plain', TOAST_MS.submitting)
    timer.current = setTimeout(() => {
      showToast(intl.formatMessage({ id: 'vip.submitted' }), 'good', TOAST_MS.short)
      void navigate(target)
    }, TOAST_MS.submitting)
  }
  return (
    <>
      {account?.isVip === 1 && account.vipEndTime !== null ? (
        <Notice>
          <FormattedMessage
            id="session.vipUntil"
            values={{ until: format.instantDay(account.vipEndTime) }}
            tagName="p"
          />
          <FormattedMessage id="vip.extended" tagName="p" />
        </Notice>
      ) : null}
      <Benefits />
      {plans.error ? <ErrorNotice error={plans.error} onRetry={() => void plans.refetch()} /> : null}
      {isPending ? <Skeleton height={PLANS_HEIGHT} /> : null}
      {plans.data && !isPending ? (
        <Plans plans={plans.data} chosen={chosen} racesPerYear={racesPerYear} onChoose={setChosen} />
      ) : null}
      {/* Below the plans, whose height is known only when they have come. */}
      {isPending ? null : (
        <>
          <Button
            primary
            className={`${form.submit} ${styles.ownWidth}`}
            busy={submitting}
            disabled={!plans.data}
            onClick={subscribe}
            text={submitting ? 'vip.submitting' : account?.isVip === 1 ? 'vip.extend' : 'common.goOn'}
          />
          <Small text="vip.once" />
          <Comparison />
          <Sample />
        </>
      )}
    </>
  )
}
