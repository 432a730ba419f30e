import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Skeleton } from '../../ui/panel.tsx'
import styles from './plot.module.css'
import type { PlotProps } from './plot.tsx'

const Plot = lazy(() => import('./plot.tsx'))

/** Height of the line below a chart with the picture buttons. */
const PICTURES_HEIGHT = 24
/**
 * The fraction of a chart, or of a window that is too low for it, that must be visible before it is drawn:
 * drawing takes a slow phone half a second.
 */
const SEEN_SHARE = 0.5
const VISIBLE_SHARES = [0.1, 0.2, 0.3, 0.4, SEEN_SHARE]
/** Excludes the area below the bottom bar of a phone. */
const SEEN_IN = '0px 0px -64px 0px'

const isSeen = ({ intersectionRatio, intersectionRect, rootBounds }: IntersectionObserverEntry): boolean =>
  intersectionRatio >= SEEN_SHARE ||
  (rootBounds !== null && intersectionRect.height >= rootBounds.height * SEEN_SHARE)

/** A chart; its library is a separate chunk that is loaded with the first visible chart. */
export function Chart(props: PlotProps) {
  const height = props.height + (props.picture ? PICTURES_HEIGHT : 0)
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const draw = (): void => setSeen(true)
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(isSeen)) draw()
      },
      { threshold: VISIBLE_SHARES, rootMargin: SEEN_IN },
    )
    observer.observe(element)
    // A printed page cannot be scrolled.
    globalThis.addEventListener('beforeprint', draw)
    return () => {
      observer.disconnect()
      globalThis.removeEventListener('beforeprint', draw)
    }
  }, [])
  if (!seen)
    return <div ref={place} className={styles.place} role="img" aria-label={props.label} style={{ height }} />
  return (
    <Suspense fallback={<Skeleton height={height} />}>
      <Plot {...props} />
    </Suspense>
  )
}
