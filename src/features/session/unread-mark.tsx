import { useQuery } from '@tanstack/react-query'
import { FormattedMessage } from 'react-intl'
import { queryUnreadAlerts } from '../../../contract/api/alert.ts'
import { queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { useFormat } from '../../i18n/format.ts'
import texts from '../../ui/text.module.css'
import styles from './unread-mark.module.css'

const EVERY_MS = 60_000
/** More than this are not counted: the mark has room for two digits. */
const MOST = 99

/** The number of alerts that the customer has not read, on the picture of the account; nothing if there are none. */
export default function UnreadMark() {
  const format = useFormat()
  const { data } = useQuery({
    ...queryFor(queryUnreadAlerts, {}, useToken()),
    refetchInterval: EVERY_MS,
    retry: false,
  })
  const unread = data?.unread ?? 0
  if (unread === 0) return null
  return (
    <span className={styles.mark}>
      <span aria-hidden="true">{format.integer(Math.min(unread, MOST))}</span>
      <span className={texts.hidden}>
        <FormattedMessage id="alerts.unread" values={{ count: unread }} />
      </span>
    </span>
  )
}
