import { DoorOpen } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { useToken } from '../../data/client/session.ts'
import { Farewell } from '../../features/account/farewell.tsx'
import { useSignOut } from '../../features/account/sign-out.tsx'
import { Button } from '../../ui/button.tsx'
import { LinkButton, Outcome } from '../../ui/layout.tsx'

/** Confirms signing out; after that, shows links to continue. */
export function ExitScreen() {
  const signedIn = useToken() !== null
  const { leave, busy, dialog } = useSignOut()
  if (!signedIn) return <Farewell />
  return (
    <Outcome>
      <DoorOpen aria-hidden="true" size={46} strokeWidth={1.5} />
      <FormattedMessage id="exit.sure" tagName="h1" />
      <Button primary busy={busy} onClick={leave} text="session.signOut" />
      <LinkButton quiet to="/" text="notFound.home" />
      {dialog}
    </Outcome>
  )
}
