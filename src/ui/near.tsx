import { useEffect, useRef, useState, type ReactNode } from 'react'

/** So far from the window things are made already. */
const MARGIN = '500px'

interface NearProps {
  /** Kept free until then, so that nothing jumps. */
  height: number
  children(): ReactNode
}

/** What is made only when the reader comes near it: a long page is not built whole before its first screen is there. */
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
    // On paper there is no scrolling.
    const all = (): void => setNear(true)
    globalThis.addEventListener('beforeprint', all)
    return () => {
      observer.disconnect()
      globalThis.removeEventListener('beforeprint', all)
    }
  }, [near])
  return near ? children() : <div ref={place} style={{ minHeight: height }} />
}
