import { startTransition, useEffect, useState, type ReactNode } from 'react'
import { useInView } from './lazy-in-view.tsx'
import { SeenContext } from './seen-context.ts'
import { whenQuiet } from './when-quiet.ts'
import styles from './in-view.module.css'

/** A part within this distance of the window counts as visible. */
const MARGIN = '120px'

interface InViewProps {
  /** Reserved until the part is rendered, so that nothing jumps. */
  height: number
  className?: string | undefined
  /** Loads what the part needs. The same function each time. */
  load?: () => Promise<unknown>
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
  return <SeenContext value={inView}>{inView ? children : shown}</SeenContext>
}

/**
 * Waits until the reader does nothing, loads, and waits for another turn: what is loaded is not rendered when it happens to
 * arrive, perhaps just after a gesture. Returns what takes it back.
 */
function whenLoaded(load: () => Promise<unknown>, run: () => void): () => void {
  let isWanted = true
  const loadFirst = async (): Promise<void> => {
    try {
      await load()
    } catch {
      // It is loaded once more when it is rendered, which tells why that failed.
    }
    if (isWanted) takeBack = whenQuiet(run)
  }
  let takeBack = whenQuiet(() => void loadFirst())
  return () => {
    isWanted = false
    takeBack()
  }
}

/**
 * A part of a long page that is rendered and updated when it is visible. What is out of view is rendered one part after
 * another while the reader does nothing, so that it is ready when it is scrolled to.
 */
export function InView({ height, className = '', load, children }: InViewProps) {
  const { place, inView, wasInView } = useInView(MARGIN)
  const [waited, setWaited] = useState(false)
  useEffect(() => {
    if (wasInView) return undefined
    const render = (): void => setWaited(true)
    return load === undefined ? whenQuiet(render) : whenLoaded(load, render)
  }, [wasInView, load])
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
