import { useQuery } from '@tanstack/react-query'
import { Crown, Gift } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { storedQueryFor } from '../../data/client/response-cache.ts'
import { getVipDiscount } from '../../../contract/api/trade.ts'
import { useConfig } from '../../data/use-site-settings.ts'
import { useFormat } from '../../i18n/format.ts'
import styles from './home.module.css'

/** Links to VIP for non-VIPs, with the best discount as customary in the user's language, and to sharing. */
export function QuickActions({ isVip, onShare }: { isVip: boolean; onShare(): void }) {
  const format = useFormat()
  const { data: discount } = useQuery(storedQueryFor('_discount', getVipDiscount, {}))
  const reward = useConfig().data?.get('shareReward')
  return (
    <div className={styles.actions}>
      {isVip ? null : (
        <Link className={`${styles.action} ${styles.vip}`} to="/pages/race/viplist">
          <Crown aria-hidden="true" size={26} />
          <span>
            <FormattedMessage id="home.vip" tagName="strong" />
            <small>
              {discount === null || discount === undefined ? (
                <FormattedMessage id="home.vipAll" />
              ) : (
                <FormattedMessage
                  id="home.vipDiscount"
                  values={{
                    off: format.percent(1 - discount, 0),
                    tenths: format.discountTenths(discount),
                  }}
                />
              )}
            </small>
          </span>
        </Link>
      )}
      <button type="button" className={styles.action} onClick={onShare}>
        <Gift aria-hidden="true" size={26} />
        <span>
          <FormattedMessage id="home.share" tagName="strong" />
          <FormattedMessage id="home.shareReward" values={{ count: Number(reward ?? 20) }} tagName="small" />
        </span>
      </button>
    </div>
  )
}
