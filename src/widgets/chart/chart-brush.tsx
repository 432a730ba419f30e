import { useRef, useState, type PointerEvent, type ReactNode } from 'react'
import styles from './chart.module.css'

/** A pointer that moved less than this, in pixels, clicked. */
const CLICK_PX = 4

type Keys = Readonly<{ altKey: boolean; shiftKey: boolean }>

interface ChartBrushProps {
  /** Start and end of the chart's horizontal axis: linear, in the values' unit. */
  range: readonly [number, number]
  /** Called while the pointer moves, with the ends of the span in the axis' unit. */
  onMove(from: number, to: number): void
  /** Called when the pointer enters, to prepare for moves. */
  onEnter(): void
  /** Called when a gesture ended without a selection. */
  onCancel(): void
  onSpan(from: number, to: number): void
  /** A click instead of a drag. */
  onClick(at: number, keys: Keys): void
  children: ReactNode
}

interface Drag {
  /** Where it began, in pixels of the window. */
  from: number
  /** Edges of the plot area, in pixels of the window. */
  left: number
  right: number
  moved: boolean
}

/**
 * Selects a span of a chart's horizontal axis by dragging over its plot area. A touch scrolls the page
 * instead, so a control beside the chart must do the same.
 */
export function ChartBrush(props: ChartBrushProps): ReactNode {
  const { range, onMove, onEnter, onCancel, onSpan, onClick, children } = props
  const place = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag | null>(null)
  const [band, setBand] = useState<{ left: number; width: number } | null>(null)
  const valueAt = (x: number, { left, right }: Drag): number => {
    const share = Math.min(1, Math.max(0, (x - left) / (right - left)))
    return range[0] + share * (range[1] - range[0])
  }
  const ends = (x: number, of: Drag): [number, number] => {
    const [a, b] = [valueAt(of.from, of), valueAt(x, of)]
    return a < b ? [a, b] : [b, a]
  }
  const begin = (event: PointerEvent): void => {
    if (event.button !== 0 || event.pointerType === 'touch') return
    // A menu that is open above the chart keeps its clicks.
    if ((event.target as Element).closest('[popover], button') !== null) return
    // The library's own rectangle over the plot area, without axes and margins.
    const area = place.current!.querySelector('.nsewdrag')?.getBoundingClientRect()
    if (!area || event.clientX < area.left || event.clientX > area.right) return
    if (event.clientY < area.top || event.clientY > area.bottom) return
    // Otherwise the library covers the page while the button is down.
    event.preventDefault()
    place.current!.setPointerCapture(event.pointerId)
    drag.current = { from: event.clientX, left: area.left, right: area.right, moved: false }
  }
  const move = (event: PointerEvent): void => {
    const of = drag.current
    if (!of) return
    of.moved ||= Math.abs(event.clientX - of.from) >= CLICK_PX
    if (!of.moved) return
    const origin = place.current!.getBoundingClientRect().left
    const x = Math.min(of.right, Math.max(of.left, event.clientX))
    setBand({ left: Math.min(of.from, x) - origin, width: Math.abs(x - of.from) })
    onMove(...ends(event.clientX, of))
  }
  const finish = (event: PointerEvent): void => {
    const of = drag.current
    if (!of) return
    drag.current = null
    setBand(null)
    if (of.moved) onSpan(...ends(event.clientX, of))
    else onClick(valueAt(event.clientX, of), event)
  }
  return (
    <div
      ref={place}
      className={styles.brushed}
      data-testid="chart-brush"
      onPointerEnter={onEnter}
      onPointerDownCapture={begin}
      onPointerMove={move}
      onPointerUp={finish}
      onPointerCancel={() => {
        if (drag.current === null) return
        drag.current = null
        setBand(null)
        onCancel()
      }}
    >
      {children}
      {band === null ? null : <div className={styles.span} style={band} />}
    </div>
  )
}
