import { DoorOpen } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import layout from '../../ui/layout.module.css'
import outcome from '../../ui/outcome.module.css'

/** Confirms that the user has signed out or deleted their account, with links to continue. */
export function Farewell({ deleted = false }: { deleted?: boolean }) {
  return (
    <section className={`${outcome.outcome} ${layout.narrow}`} role="status">
      <DoorOpen aria-hidden="true" size={46} strokeWidth={1.5} />
      <h1>
        <FormattedMessage id={deleted ? 'exit.deleted' : 'exit.done'} />
      </h1>
      <Link className={layout.linkButton} to="/pages/login/login">
        <FormattedMessage id="session.signIn" />
      </Link>
      <Link className={`${layout.linkButton} ${layout.quiet}`} to="/">
        <FormattedMessage id="notFound.home" />
      </Link>
    </section>
  )
}
