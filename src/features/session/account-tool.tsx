import { FormattedMessage } from 'react-intl'
import { signOut } from '../../data/api-client.ts'
import { storeToken, useToken } from '../../data/session.ts'
import { useSession } from '../../data/use-session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import styles from './account-tool.module.css'

/** Who is signed in, and the way out. */
export function AccountTool() {
  const token = useToken()
  const format = useFormat()
  const { data } = useSession()
  if (token === null || !data) return null
  const leave = (): void => {
    // The device forgets the token whatever the server says.
    void signOut()
      .catch(() => undefined)
      .finally(() => storeToken(null))
  }
  return (
    <span className={styles.account}>
      <span className={styles.badge}>
        {data.isVip === 1 && data.vipEndTime !== null ? (
          <FormattedMessage id="session.vipUntil" values={{ until: format.instant(data.vipEndTime) }} />
        ) : (
          data.nickname
        )}
      </span>
      <Button onClick={leave}>
        <FormattedMessage id="session.signOut" />
      </Button>
    </span>
  )
}
