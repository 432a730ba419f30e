import { useEffect, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { fetchUpdate } from '../../data/site-calls.ts'
import { Button } from '../../ui/button.tsx'
import styles from './update-notice.module.css'

/** Asked again so often in a page that stays open. */
const EVERY_MS = 3_600_000

/**
 * A build with another major or minor is told with a button; a patch comes silently at the next start, by the service
 * worker (decisions section 8).
 */
export function UpdateNotice() {
  const [full, setFull] = useState(false)
  useEffect(() => {
    const check = (): void => {
      if (!navigator.onLine) return
      // Not to be reached is no news about a build.
      void fetchUpdate(__BUILD_VERSION__).then(
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
          >
            <FormattedMessage id="update.now" />
          </Button>
        </div>
      ) : null}
    </div>
  )
}
