import { Mail } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { useToken } from '../../data/client/session.ts'
import { loginPath, registerPath } from '../../data/login-path.ts'
import { useConfig } from '../../data/use-site-settings.ts'
import { MessageForm } from '../../features/media/message-form.tsx'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { LinkButton, Row, Stack } from '../../ui/layout.tsx'

/** Ways to reach the operator: a message from this page, and the email address if one is configured. */
export function ContactScreen() {
  const config = useConfig()
  const signedIn = useToken() !== null
  const email = config.data?.get('contactEmail')
  const shown = config.data?.get('showContactUs') === '1'
  return (
    <Stack narrow>
      <FormattedMessage id="title.contact" tagName="h1" />
      {config.error ? <ErrorNotice error={config.error} onRetry={() => void config.refetch()} /> : null}
      {config.isPending ? <Skeleton height={240} /> : null}
      {config.data && shown ? (
        <Panel title={<FormattedMessage id="contact.message" />}>
          {signedIn ? <MessageForm /> : <SignInFirst />}
        </Panel>
      ) : null}
      {config.data && shown && email ? <Email address={email} /> : null}
      {config.data && !shown ? (
        <Empty
          action={
            <Row as="nav">
              <LinkButton quiet to="/pages/login/protocal" text="legal.terms" />
              <LinkButton quiet to="/pages/login/protocal2" text="legal.privacy" />
            </Row>
          }
          text="contact.none"
        />
      ) : null}
    </Stack>
  )
}

const CONTACT = '/pages/user/contactUs'

/** Messages have an account, so that they can be answered, and so that strangers cannot flood the operator. */
function SignInFirst() {
  return (
    <Stack>
      <FormattedMessage id="contact.signInFirst" tagName="p" />
      <Row>
        <LinkButton to={loginPath(CONTACT)} text="session.signIn" />
        <LinkButton quiet to={registerPath(CONTACT)} text="session.register" />
      </Row>
    </Stack>
  )
}

function Email({ address }: { address: string }) {
  return (
    <Panel title={<FormattedMessage id="contact.email" />}>
      <LinkButton href={`mailto:${address}`}>
        <Mail aria-hidden="true" size={16} />
        {address}
      </LinkButton>
    </Panel>
  )
}
