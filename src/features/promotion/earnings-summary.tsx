import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { queryMyCustomerTotal, settlementPage } from '../../../contract/api/trade.ts'
import { businessDay } from '../../../domain/membership.ts'
import { queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Facts, LinkButton, TextLink } from '../../ui/layout.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import styles from './promotion.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** What a provider can withdraw, and what settles next. */
export function EarningsSummary() {
  const format = useFormat()
  const token = useToken()
  const [today] = useState(() => businessDay(new Date()))
  const totals = useQuery({ ...queryFor(queryMyCustomerTotal, {}, token), retry: 1 })
  const next = useQuery({ ...queryFor(settlementPage, { from: today, pageSize: 1 }, token), retry: 1 })
  const failed = totals.error ?? next.error
  const retry = (): void => {
    void totals.refetch()
    void next.refetch()
  }
  const settles = next.data?.records.find(({ state }) => state === 'waiting')
  return (
    <Panel
      title={<FormattedMessage id="centre.earnings" />}
      actions={<TextLink to="/pages/user/promotionServiceProvider" text="title.promotion" />}
    >
      <div className={styles.summary}>
        {failed ? <ErrorNotice error={failed} onRetry={retry} /> : null}
        {totals.isPending || next.isPending ? <Skeleton height={44} /> : null}
        {totals.data && next.data ? (
          <>
            <Facts
              facts={[
                ['promotion.withdrawable', format.hkd(totals.data.withdrawable)],
                [
                  'centre.nextSettlement',
                  settles
                    ? `${format.hkd(settles.amount)}${BETWEEN_FACTS}${format.day(settles.settlesOn)}`
                    : null,
                ],
              ]}
              knownOnly
            />
            {Number(totals.data.withdrawable) > 0 ? (
              <LinkButton to="/pages/user/withdrawal" text="title.withdrawal" />
            ) : null}
          </>
        ) : null}
      </div>
    </Panel>
  )
}
