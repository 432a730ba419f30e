import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { baseUrl } from '../../data/client/api-client.ts'
import { webAddress } from '../../data/web-address.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/panel.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import styles from './common.module.css'

/** Shows pictures of our own site one at a time: `urls` is a comma-separated list. */
export function PreviewImageScreen() {
  const [params] = useSearchParams()
  const intl = useIntl()
  const [at, setAt] = useState(0)
  const [failed, setFailed] = useState(false)
  const pictures = (params.get('urls') ?? '')
    .split(',')
    .map((url) => webAddress(url, baseUrl(), []))
    .filter((url) => url !== null)
  const shown = pictures[at]
  const go = (step: number): void => {
    setFailed(false)
    setAt((now) => (now + step + pictures.length) % pictures.length)
  }
  return (
    <Stack>
      <FormattedMessage id="title.previewImage" tagName="h1" />
      {shown === undefined || failed ? (
        <Empty icon={ImageOff} text="preview.none" />
      ) : (
        <img
          className={styles.picture}
          src={shown}
          alt={intl.formatMessage({ id: 'preview.picture' }, { number: at + 1, count: pictures.length })}
          onError={() => setFailed(true)}
        />
      )}
      {pictures.length > 1 ? (
        <Row spread>
          <Button onClick={() => go(-1)} text="preview.previous" />
          <Button onClick={() => go(1)} text="preview.next" />
        </Row>
      ) : null}
    </Stack>
  )
}
