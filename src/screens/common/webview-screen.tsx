import { useIntl } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { baseUrl } from '../../data/client/api-client.ts'
import { useConfig } from '../../data/use-site-settings.ts'
import { webAddress } from '../../data/web-address.ts'
import { Empty, Skeleton } from '../../ui/panel.tsx'
import { LinkButton, Stack } from '../../ui/layout.tsx'
import styles from './common.module.css'

/** Shows a page of our own site in a frame; pages of listed hosts open in a separate tab. */
export function WebviewScreen() {
  const [params] = useSearchParams()
  const intl = useIntl()
  const config = useConfig()
  if (config.isPending) return <Skeleton height={420} />
  const listed = (config.data?.get('webviewHosts') ?? '').split(',').filter((host) => host !== '')
  const address = webAddress(params.get('url'), baseUrl(), listed)
  const title = params.get('title')?.slice(0, 100) || intl.formatMessage({ id: 'title.webview' })
  const own = address !== null && new URL(address).origin === location.origin
  return (
    <Stack>
      <h1>{title}</h1>
      {address === null ? (
        <Empty text="webview.refused" />
      ) : own ? (
        <iframe
          className={styles.frame}
          title={title}
          src={address}
          sandbox="allow-same-origin allow-popups"
        />
      ) : (
        <Empty
          action={<LinkButton href={address} target="_blank" rel="noopener noreferrer" text="webview.open" />}
        >
          {new URL(address).hostname}
        </Empty>
      )}
    </Stack>
  )
}
