import { useEffect, useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Button } from './button.tsx'
import styles from './layout.module.css'
import { showToast } from './toast.tsx'
import { useSwipeUp } from './behaviour/use-swipe-up.ts'
import { useWide } from './behaviour/use-wide.ts'

/** On a phone, the next page is loaded this far before the end of the list. */
const MARGIN = '400px'

interface MoreProps {
  /** Whether there may be another page. */
  hasMore: boolean
  loading: boolean
  /** Loads the next page; resolves to whether it had any rows. */
  onMore(): Promise<boolean>
}

/** Loads the next page of a list: a button; on phones it also loads automatically near the end. */
export function More({ hasMore, loading, onMore }: MoreProps) {
  const intl = useIntl()
  const wide = useWide()
  const place = useRef<HTMLParagraphElement>(null)
  // A list that was complete from the start shows no end mark.
  const [asked, setAsked] = useState(false)
  /** After an empty response only the user can request more, not the page itself. */
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
