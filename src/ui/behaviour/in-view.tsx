import { startTransition, useEffect, useRef, useState, type ReactNode } from 'react'
import styles from './in-view.module.css'

/** A part within this distance of the window counts as visible. */
const MARGIN = '120px'
/**
 * A part that is out of view is rendered after this time anyway, so that it is ready when it is scrolled to.
 */
const MAKE_AFTER_MS = 2500

interface InViewProps {
  /** Reserved until the part is rendered, so that nothing jumps. */
  height: number
  className?: string | undefined
  children: ReactNode
}

/**
 * A part that is out of view is updated after this time, for assistive technology and searches in the page.
 */
const FOLLOW_AFTER_MS = 500

/**
 * Updates the part later while it is out of view, so that a click re-renders only what is on screen at once.
 */
function Held({ seen, children }: { seen: boolean; children: ReactNode }) {
  const [shown, setShown] = useState(children)
  // A visible part is always up to date.
  if (seen && shown !== children) setShown(children)
  useEffect(() => {
    if (seen || shown === children) return undefined
    const timer = setTimeout(() => startTransition(() => setShown(children)), FOLLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [seen, shown, children])
  return seen ? children : shown
}

/** A part of a long page that is rendered and updated when it is visible. */
export function InView({ height, className = '', children }: InViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  const [made, setMade] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1)?.isIntersecting ?? false
        setSeen(last)
        if (last) setMade(true)
      },
      { rootMargin: MARGIN },
    )
    observer.observe(place.current!)
    // A printed page cannot be scrolled.
    const all = (): void => {
      setSeen(true)
      setMade(true)
    }
    globalThis.addEventListener('beforeprint', all)
    const later = setTimeout(() => setMade(true), MAKE_AFTER_MS)
    return () => {
      observer.disconnect()
      clearTimeout(later)
      globalThis.removeEventListener('beforeprint', all)
    }
  }, [])
  return (
    <div
      ref={place}
      className={`${styles.inView} ${className}`}
      style={made ? undefined : { minHeight: height }}
      data-seen={seen}
    >
      {made ? <Held seen={seen}>{children}</Held> : null}
    </div>
  )
}
