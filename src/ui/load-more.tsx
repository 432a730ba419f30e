import { useEffect, useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Button } from './button.tsx'
import { ListEnd } from './layout.tsx'
import { ErrorNotice } from './panel.tsx'
import { showToast } from './toast.tsx'
import { useSwipeUp } from './behaviour/use-swipe-up.ts'
import { useWide } from './behaviour/use-wide.ts'

/** On a phone, the next page is loaded this far before the end of the list. */
const MARGIN = '400px'

/** What asking for the next page led to: more rows, an empty page, or no answer. */
export type NextPage = 'rows' | 'nothing' | 'failed'

interface LoadMoreProps {
  /** Whether there may be another page. */
  hasMore: boolean
  loading: boolean
  /** Why the next page could not be loaded; the button loads it again. */
  moreError: Error | null
  /** Loads the next page; says what came of it. */
  loadMore(): Promise<NextPage>
}

/** Loads the next page of a list: a button; on phones it also loads automatically near the end. */
export function LoadMore({ hasMore, loading, moreError, loadMore }: LoadMoreProps) {
  const intl = useIntl()
  const wide = useWide()
  const place = useRef<HTMLParagraphElement>(null)
  // A list that was complete from the start shows no end mark.
  const [requested, setRequested] = useState(false)
  /** After an empty response, and after none, only the user can request more, not the page itself. */
  const [stopped, setStopped] = useState(false)
  const request = (): void => {
    if (loading || !hasMore) return
    setRequested(true)
    void loadMore().then((next) => {
      setStopped(next !== 'rows')
      if (next === 'nothing') showToast(intl.formatMessage({ id: 'common.theEnd' }))
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
    <>
      {moreError === null ? null : <ErrorNotice error={moreError} />}
      <ListEnd ref={place}>
        <Button onClick={request} busy={loading} text={loading ? 'common.loading' : 'common.loadMore'} />
      </ListEnd>
    </>
  )
}
