import { DoorOpen } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { LinkButton, Outcome } from '../../ui/layout.tsx'

/** Confirms that the user has signed out or deleted their account, with links to continue. */
export function Farewell({ deleted = false }: { deleted?: boolean }) {
  return (
    <Outcome role="status">
      <DoorOpen aria-hidden="true" size={46} strokeWidth={1.5} />
      <FormattedMessage id={deleted ? 'exit.deleted' : 'exit.done'} tagName="h1" />
      <LinkButton to="/pages/login/login" text="session.signIn" />
      <LinkButton quiet to="/" text="notFound.home" />
    </Outcome>
  )
}
