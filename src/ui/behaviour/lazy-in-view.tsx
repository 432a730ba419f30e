import { useEffect, useRef, useState, type ReactNode } from 'react'

/**
 * Whether an element is in view or within `margin` of the window, and whether it has ever been. With `once` it is
 * observed until it has been in view.
 */
export function useInView(margin: string, once = false) {
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
