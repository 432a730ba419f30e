import { useEffect, useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Button } from './button.tsx'
import { ListEnd } from './layout.tsx'
import { showToast } from './toast.tsx'
import { useSwipeUp } from './behaviour/use-swipe-up.ts'
import { useWide } from './behaviour/use-wide.ts'

/** On a phone, the next page is loaded this far before the end of the list. */
const MARGIN = '400px'

interface LoadMoreProps {
  /** Whether there may be another page. */
  hasMore: boolean
  loading: boolean
  /** Loads the next page; resolves to whether it had any rows. */
  loadMore(): Promise<boolean>
}

/** Loads the next page of a list: a button; on phones it also loads automatically near the end. */
export function LoadMore({ hasMore, loading, loadMore }: LoadMoreProps) {
  const intl = useIntl()
  const wide = useWide()
  const place = useRef<HTMLParagraphElement>(null)
  // A list that was complete from the start shows no end mark.
  const [requested, setRequested] = useState(false)
  /** After an empty response only the user can request more, not the page itself. */
  const [stopped, setStopped] = useState(false)
  const request = (): void => {
    if (loading || !hasMore) return
    setRequested(true)
    void loadMore().then((came) => {
      setStopped(!came)
      if (!came) showToast(intl.formatMessage({ id: 'common.theEnd' }))
    })
  }
  const latest = useRef(request)
  useEffect(() => {
    latest.current = request
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
  useSwipeUp(request, !wide)
  if (!hasMore)
    return requested ? (
      <ListEnd>
        <FormattedMessage id="common.bottom" />
      </ListEnd>
    ) : null
  return (
    <ListEnd ref={place}>
      <Button onClick={request} disabled={loading} text={loading ? 'common.loading' : 'common.loadMore'} />
    </ListEnd>
  )
}
