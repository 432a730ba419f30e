import { startTransition, useEffect, useRef, useState, type ReactNode } from 'react'
import styles from './ui.module.css'

/** So far from the window a part counts as seen already. */
const MARGIN = '120px'
/** A part out of view is made after this long all the same, so that it is there when it is scrolled to. */
const MAKE_AFTER_MS = 2500

interface InViewProps {
  /** Kept free until it is made, so that nothing jumps. */
  height: number
  className?: string | undefined
  children: ReactNode
}

/** A part out of view follows a change after this long, for whoever reads the page without looking at it. */
const FOLLOW_AFTER_MS = 500

/** While nobody sees it, the part follows later: a click redraws what is on screen, not the whole page at once. */
function Held({ seen, children }: { seen: boolean; children: ReactNode }) {
  const [shown, setShown] = useState(children)
  // What is seen is always the newest.
  if (seen && shown !== children) setShown(children)
  useEffect(() => {
    if (seen || shown === children) return undefined
    const timer = setTimeout(() => startTransition(() => setShown(children)), FOLLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [seen, shown, children])
  return seen ? children : shown
}

/** A part of a long page that is made and renewed as it is seen. */
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
    // On paper there is no scrolling.
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
