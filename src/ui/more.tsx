import { useEffect, useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Button } from './button.tsx'
import styles from './layout.module.css'
import { showToast } from './toast.tsx'
import { useSwipeUp } from './use-swipe-up.ts'
import { useWide } from './use-wide.ts'

/** So far before its end a list on a phone loads on. */
const MARGIN = '400px'

interface MoreProps {
  /** Whether another page may be there. */
  hasMore: boolean
  loading: boolean
  /** Loads it; answers whether anything came. */
  onMore(): Promise<boolean>
}

/** The way to a list's next page: a button; on phones it loads by itself as the reader nears the end. */
export function More({ hasMore, loading, onMore }: MoreProps) {
  const intl = useIntl()
  const wide = useWide()
  const place = useRef<HTMLParagraphElement>(null)
  // A list that was whole from the start has no end to tell of.
  const [asked, setAsked] = useState(false)
  /** Nothing came: the reader asks again, not the page. */
  const [stopped, setStopped] = useState(false)
  const ask = (): void => {
    if (loading || !hasMore) return
    setAsked(true)
    void onMore().then((came) => {
      setStopped(!came)
      if (!came) showToast(intl.formatMessage({ id: 'common.theEnd' }))
    })
  }
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  const byItself = !wide && hasMore && !loading && !stopped
  useEffect(() => {
    if (!byItself) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current()
      },
      { rootMargin: MARGIN },
    )
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [byItself])
  useSwipeUp(ask, !wide)
  if (!hasMore)
    return asked ? (
      <p className={styles.end}>
        <FormattedMessage id="common.bottom" />
      </p>
    ) : null
  return (
    <p ref={place} className={styles.end}>
      <Button onClick={ask} disabled={loading}>
        <FormattedMessage id={loading ? 'common.loading' : 'common.more'} />
      </Button>
    </p>
  )
}
