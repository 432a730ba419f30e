import { Mail } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { baseUrl } from '../../data/client/api-client.ts'
import { useToken } from '../../data/client/session.ts'
import { useConfig } from '../../data/use-site-settings.ts'
import { ImageUpload } from '../../features/media/image-upload.tsx'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { LinkButton, Row, Stack } from '../../ui/layout.tsx'

/** Contact details of the operator, as configured in the settings. */
export function ContactScreen() {
  const config = useConfig()
  const email = config.data?.get('contactEmail')
  const shown = config.data?.get('showContactUs') === '1'
  return (
    <Stack narrow>
      <FormattedMessage id="title.contact" tagName="h1" />
      {config.error ? <ErrorNotice error={config.error} onRetry={() => void config.refetch()} /> : null}
      {config.isPending ? <Skeleton height={120} /> : null}
      {config.data && shown && email ? <Letter email={email} /> : null}
      {config.data && !(shown && email) ? (
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

/** A letter in the user's own mail program; pictures are uploaded here and linked in it. */
function Letter({ email }: { email: string }) {
  const intl = useIntl()
  const signedIn = useToken() !== null
  const [pictures, setPictures] = useState<string[]>([])
  const body = pictures.map((path) => new URL(path, baseUrl()).href).join('\n')
  const subject = intl.formatMessage({ id: 'contact.subject' })
  return (
    <>
      {signedIn ? (
        <Panel title={<FormattedMessage id="contact.pictures" />}>
          <ImageUpload pictures={pictures} onChange={setPictures} />
        </Panel>
      ) : null}
      <Panel title={<FormattedMessage id="contact.email" />}>
        <Stack>
          <FormattedMessage id="contact.hint" tagName="p" />
          <LinkButton
            href={`mailto:${email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`}
          >
            <Mail aria-hidden="true" size={16} />
            {email}
          </LinkButton>
        </Stack>
      </Panel>
    </>
  )
}
