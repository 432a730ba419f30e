import { CircleUserRound, UserRoundPlus } from 'lucide-react'
import { Suspense } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { useToken } from '../../data/client/session.ts'
import { useSession } from '../../data/use-session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { TextLink } from '../../ui/layout.tsx'
import styles from './account-tool.module.css'

const UnreadMark = lazyOrNothing(() => import('./unread-mark.tsx'))

/** The signed-in customer with a link to the account pages; for visitors, links to sign in and register. */
export function AccountTool() {
  const intl = useIntl()
  const token = useToken()
  const wide = useWide()
  const { data } = useSession()
  if (token === null)
    return (
      <span className={styles.account}>
        {wide ? (
          <TextLink className={styles.signIn} to="/pages/login/login" text="session.signIn" />
        ) : (
          <Link
            className={styles.signInPicture}
            to="/pages/login/login"
            aria-label={intl.formatMessage({ id: 'session.signIn' })}
          >
            <CircleUserRound aria-hidden="true" size={24} strokeWidth={1.8} />
          </Link>
        )}
        <Link
          className={styles.register}
          to="/pages/login/fyregister"
          aria-label={intl.formatMessage({ id: 'session.register' })}
        >
          <UserRoundPlus aria-hidden="true" size={20} strokeWidth={1.8} />
          <span>
            <FormattedMessage id="session.register" />
          </span>
        </Link>
      </span>
    )
  return (
    <Link className={styles.person} to="/pages/user/fypeople">
      <Avatar url={data?.headUrl ?? null} size={32} />
      <Suspense fallback={null}>
        <UnreadMark />
      </Suspense>
      <span className={wide ? styles.name : styles.unseen}>
        {data?.nickname ?? <FormattedMessage id="nav.me" />}
      </span>
      {data?.isVip === 1 ? <span className={styles.vip}>{VIP}</span> : null}
    </Link>
  )
}

/** Written the same in every language. */
const VIP = 'VIP'
