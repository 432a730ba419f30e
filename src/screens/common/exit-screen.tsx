import { DoorOpen } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { Link, useSearchParams } from 'react-router-dom'
import { useToken } from '../../data/session.ts'
import { useSignOut } from '../../features/account/sign-out.ts'
import styles from '../../features/membership/membership.module.css'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'

/** The way out, and what stands behind it. */
export function ExitScreen() {
  const signedIn = useToken() !== null
  const [params] = useSearchParams()
  const leave = useSignOut()
  return (
    <section className={`${styles.outcome} ${layout.narrow}`}>
      <DoorOpen aria-hidden="true" size={46} strokeWidth={1.5} />
      <h1>
        <FormattedMessage
          id={signedIn ? 'exit.sure' : params.get('why') === 'deleted' ? 'exit.deleted' : 'exit.done'}
        />
      </h1>
      {signedIn ? (
        <Button primary onClick={leave}>
          <FormattedMessage id="session.signOut" />
        </Button>
      ) : (
        <Link className={layout.linkButton} to="/pages/login/login">
          <FormattedMessage id="session.signIn" />
        </Link>
      )}
      <Link to="/">
        <FormattedMessage id="notFound.home" />
      </Link>
    </section>
  )
}
