import { useEffect, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { appUpdate } from '../../../contract/api/site.ts'
import { Button } from '../../ui/button.tsx'
import styles from './update-notice.module.css'
import { call } from '../../data/client/call.ts'
import { clientId } from '../../data/client/device.ts'

/** Interval of the check in a page that stays open. */
const EVERY_MS = 3_600_000

/**
 * Shows a new major or minor version with a button; a patch is applied silently at the next start, by the
 * service worker (decisions section 8).
 */
export function UpdateNotice() {
  const [full, setFull] = useState(false)
  useEffect(() => {
    const check = (): void => {
      if (!navigator.onLine) return
      // A failed check says nothing about a new build.
      void call(appUpdate, { appid: 'furlong-web', version: __BUILD_VERSION__, imei: clientId() }).then(
        ({ update }) => setFull(update === 'full'),
        () => undefined,
      )
    }
    const soon = setTimeout(check, 5000)
    const timer = setInterval(check, EVERY_MS)
    return () => {
      clearTimeout(soon)
      clearInterval(timer)
    }
  }, [])
  return (
    <div role="status">
      {full ? (
        <div className={styles.notice}>
          <FormattedMessage id="update.full" tagName="p" />
          <Button
            primary
            onClick={() => {
              void import('../../data/new-build.ts').then(({ reloadWithNewBuild }) => reloadWithNewBuild())
            }}
            text="update.now"
          />
        </div>
      ) : null}
    </div>
  )
}
