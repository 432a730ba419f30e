import { startTransition, useEffect, useRef, useState, type ReactNode } from 'react'
import { whenQuiet } from './when-quiet.ts'
import styles from './in-view.module.css'

/**
 * Whether an element is in view or within `margin` of the window, and whether it has ever been. With `once` it is
 * observed until it has been in view.
 */
function useInView(margin: string, once = false) {
  const place = useRef<HTMLDivElement>(null)
  const [inView, setInView] = useState(false)
  const [wasInView, setWasInView] = useState(false)
  const done = once && wasInView
  useEffect(() => {
    if (done) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        setInView(entries.at(-1)?.isIntersecting ?? false)
        if (entries.some(({ isIntersecting }) => isIntersecting)) setWasInView(true)
      },
      { rootMargin: margin },
    )
    observer.observe(place.current!)
    // A printed page cannot be scrolled.
    const all = (): void => {
      setInView(true)
      setWasInView(true)
    }
    globalThis.addEventListener('beforeprint', all)
    return () => {
      observer.disconnect()
      globalThis.removeEventListener('beforeprint', all)
    }
  }, [margin, done])
  return { place, inView, wasInView }
}

/** A part within this distance of the window counts as visible. */
const MARGIN = '120px'
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
function DeferredUpdate({ inView, children }: { inView: boolean; children: ReactNode }) {
  const [shown, setShown] = useState(children)
  // A visible part is always up to date.
  if (inView && shown !== children) setShown(children)
  useEffect(() => {
    if (inView || shown === children) return undefined
    const timer = setTimeout(() => startTransition(() => setShown(children)), FOLLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [inView, shown, children])
  return inView ? children : shown
}

/**
 * A part of a long page that is rendered and updated when it is visible. What is out of view is rendered one part after
 * another while the reader does nothing, so that it is ready when it is scrolled to.
 */
export function InView({ height, className = '', children }: InViewProps) {
  const { place, inView, wasInView } = useInView(MARGIN)
  const [waited, setWaited] = useState(false)
  useEffect(() => (wasInView ? undefined : whenQuiet(() => setWaited(true))), [wasInView])
  const made = wasInView || waited
  return (
    <div
      ref={place}
      className={`${styles.inView} ${className}`}
      style={made ? undefined : { minHeight: height }}
      data-seen={inView}
    >
      {made ? <DeferredUpdate inView={inView}>{children}</DeferredUpdate> : null}
    </div>
  )
}

/** Content within this distance of the window is already rendered. */
const LAZY_MARGIN = '500px'

interface LazyInViewProps {
  /** Reserved until then, so that nothing jumps. */
  height: number
  children(): ReactNode
}

/**
 * Content that is rendered only when the user scrolls close to it, so that a long page does
 * not delay its first screen.
 */
export function LazyInView({ height, children }: LazyInViewProps) {
  const { place, wasInView } = useInView(LAZY_MARGIN, true)
  return wasInView ? children() : <div ref={place} style={{ minHeight: height }} />
}
