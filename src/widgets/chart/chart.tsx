import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react'
import { Skeleton } from '../../ui/panel.tsx'
import { EndLabels } from './end-labels.tsx'
import { endsOf, withRange } from './ends.ts'
import type { PictureFormat } from './picture.ts'
import type { ChartProps } from './series.ts'
import styles from './chart.module.css'

const Plot = lazy(() => import('./plot.tsx'))

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

/** Where a chart is, whether so much of it was seen that it is drawn, and what has it drawn anyway. */
function useSeen(): [place: RefObject<HTMLDivElement | null>, seen: boolean, see: () => void] {
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element || seen) return undefined
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
  }, [seen])
  return [place, seen, () => setSeen(true)]
}

/**
 * A chart, with the names and last values of its lines beside their ends; its library is a separate chunk that is loaded with
 * the first visible chart.
 */
export function Chart({ label, series, x, y: given, height, picture }: ChartProps) {
  const [place, seen, see] = useSeen()
  const [requested, setRequested] = useState<PictureFormat | null>(null)
  /** Index of the label whose lines stand out, while the others are dimmed. */
  const [emphasized, setEmphasized] = useState<number | null>(null)
  const y = useMemo(() => withRange({ series, y: given }), [series, given])
  const ends = useMemo(() => endsOf({ series, x, y, height }), [series, x, y, height])
  useImperativeHandle(picture?.saver, () => (format) => {
    see()
    setRequested(format)
  })
  const onPoint = useCallback(
    (series: number | null) => {
      const label = series === null ? -1 : ends.findIndex((end) => end.series.includes(series))
      setEmphasized(label < 0 ? null : label)
    },
    [ends],
  )
  return (
    <div className={styles.chart}>
      <div className={styles.frame}>
        {/* The library draws shortly after mounting, so the space is reserved. */}
        <div
          ref={place}
          className={seen ? '' : styles.place}
          role="img"
          aria-label={label}
          style={{ minHeight: height }}
        >
          {seen ? (
            <div aria-hidden="true">
              <Suspense fallback={<Skeleton height={height} />}>
                <Plot
                  {...{ series, x, y, height, picture, requested }}
                  emphasized={emphasized === null ? null : (ends[emphasized]?.series ?? null)}
                  onPoint={onPoint}
                  onSaved={() => setRequested(null)}
                />
              </Suspense>
            </div>
          ) : null}
        </div>
        <EndLabels ends={ends} series={series} emphasized={emphasized} onEmphasize={setEmphasized} />
      </div>
    </div>
  )
}
