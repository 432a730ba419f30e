import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { FormattedMessage } from 'react-intl'
import { fetchSession } from '../../data/api-client.ts'
import { isCode } from '../../data/errors.ts'
import { storeToken, useToken } from '../../data/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import styles from './account-tool.module.css'

/** Whose right is in use, and how to give it back. A right that has ended is dropped at once. */
export function AccountTool() {
  const token = useToken()
  const format = useFormat()
  const session = useQuery({
    queryKey: ['session', token],
    queryFn: ({ signal }) => fetchSession(signal),
    enabled: token !== null,
    retry: false,
  })
  const ended = isCode(session.error, 'right-missing') || isCode(session.error, 'right-expired')
  useEffect(() => {
    if (ended) storeToken(null)
  }, [ended])
  if (token === null || !session.data) return null
  const until = format.instant(session.data.expiresAt)
  return (
    <span className={styles.account}>
      <span className={styles.badge}>
        <FormattedMessage id="session.vipUntil" values={{ until }} />
      </span>
      <Button onClick={() => storeToken(null)}>
        <FormattedMessage id="session.signOut" />
      </Button>
    </span>
  )
}
