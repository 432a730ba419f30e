import { useIsFetching } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useDelayed } from '../../ui/behaviour/use-delayed.ts'
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

/** Nothing is asked for during this time before the first drawing, which would keep a click's figures waiting. */
const CALM_MS = 150
/** A reader who does not stop clicking sees the chart after this time. */
const LONGEST_WAIT_MS = 3000

/** Calls `onCalm` once the page asks for nothing. */
function WhenCalm({ onCalm }: { onCalm(): void }) {
  const calm = useDelayed(useIsFetching() === 0, CALM_MS)
  const late = useDelayed(true, LONGEST_WAIT_MS)
  useEffect(() => {
    if (calm || late) onCalm()
  }, [calm, late, onCalm])
  return null
}

/** Where a chart is, how far it is from being drawn, and what goes on with it. */
function useDrawn() {
  const place = useRef<HTMLDivElement>(null)
  const [stage, setStage] = useState<'unseen' | 'seen' | 'drawn'>('unseen')
  const draw = useCallback(() => setStage('drawn'), [])
  useEffect(() => {
    const element = place.current
    if (!element || stage !== 'unseen') return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(isSeen)) setStage('seen')
      },
      { threshold: VISIBLE_SHARES, rootMargin: SEEN_IN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [stage])
  useEffect(() => {
    if (stage === 'drawn') return undefined
    // A printed page cannot be scrolled.
    globalThis.addEventListener('beforeprint', draw)
    return () => globalThis.removeEventListener('beforeprint', draw)
  }, [stage, draw])
  return { place, stage, draw }
}

/**
 * A chart, with the names and last values of its lines beside their ends; its library is a separate chunk that is loaded with
 * the first visible chart.
 */
export function Chart({ label, series, x, y: given, height, picture }: ChartProps) {
  const { place, stage, draw } = useDrawn()
  const drawn = stage === 'drawn'
  const [requested, setRequested] = useState<PictureFormat | null>(null)
  /** Index of the label whose lines stand out, while the others are dimmed. */
  const [emphasized, setEmphasized] = useState<number | null>(null)
  const y = useMemo(() => withRange({ series, y: given }), [series, given])
  const ends = useMemo(() => endsOf({ series, x, y, height }), [series, x, y, height])
  useImperativeHandle(picture?.saver, () => (format) => {
    draw()
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
          className={drawn ? '' : styles.place}
          role="img"
          aria-label={label}
          style={{ minHeight: height }}
        >
          {stage === 'seen' ? <WhenCalm onCalm={draw} /> : null}
          {drawn ? (
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
