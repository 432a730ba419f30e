import { DoorOpen } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { useToken } from '../../data/client/session.ts'
import { Farewell } from '../../features/account/farewell.tsx'
import { useSignOut } from '../../features/account/sign-out.ts'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'
import outcome from '../../ui/outcome.module.css'

/** Confirms signing out; after that, shows links to continue. */
export function ExitScreen() {
  const signedIn = useToken() !== null
  const leave = useSignOut()
  if (!signedIn) return <Farewell />
  return (
    <section className={`${outcome.outcome} ${layout.narrow}`}>
      <DoorOpen aria-hidden="true" size={46} strokeWidth={1.5} />
      <h1>
        <FormattedMessage id="exit.sure" />
      </h1>
      <Button primary onClick={leave}>
        <FormattedMessage id="session.signOut" />
      </Button>
      <Link className={`${layout.linkButton} ${layout.quiet}`} to="/">
        <FormattedMessage id="notFound.home" />
      </Link>
    </section>
  )
}
