import { ChevronsUp } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Button } from './button.tsx'
import styles from './layout.module.css'
import { showToast } from './toast.tsx'
import { useSwipeUp } from './use-swipe-up.ts'
import { useWide } from './use-wide.ts'

interface MoreProps {
  /** Whether another page may be there. */
  hasMore: boolean
  loading: boolean
  /** Loads it; answers whether anything came. */
  onMore(): Promise<boolean>
}

/** The way to a list's next page: a button, and on phones a swipe up as well. */
export function More({ hasMore, loading, onMore }: MoreProps) {
  const intl = useIntl()
  const wide = useWide()
  const ask = (): void => {
    if (loading) return
    const end = (): void => showToast(intl.formatMessage({ id: 'common.theEnd' }))
    if (!hasMore) return end()
    void onMore().then((came) => {
      if (!came) end()
    })
  }
  useSwipeUp(ask, !wide)
  if (!hasMore)
    return (
      <p className={styles.end}>
        <FormattedMessage id="common.bottom" />
      </p>
    )
  return (
    <p className={styles.end}>
      <Button onClick={ask} disabled={loading}>
        {wide ? null : <ChevronsUp aria-hidden="true" size={16} />}
        <FormattedMessage id={loading ? 'common.loading' : wide ? 'common.more' : 'common.swipeMore'} />
      </Button>
    </p>
  )
}
