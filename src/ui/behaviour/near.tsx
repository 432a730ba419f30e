import { useEffect, useRef, useState, type ReactNode } from 'react'

/** Content within this distance of the window is already rendered. */
const MARGIN = '500px'

interface NearProps {
  /** Reserved until then, so that nothing jumps. */
  height: number
  children(): ReactNode
}

/**
 * Content that is rendered only when the user scrolls near it, so that a long page does
 * not delay its first screen.
 */
export function Near({ height, children }: NearProps) {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const element = place.current
    if (near || !element) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: MARGIN },
    )
    observer.observe(element)
    // A printed page cannot be scrolled.
    const all = (): void => setNear(true)
    globalThis.addEventListener('beforeprint', all)
    return () => {
      observer.disconnect()
      globalThis.removeEventListener('beforeprint', all)
    }
  }, [near])
  return near ? children() : <div ref={place} style={{ minHeight: height }} />
}
