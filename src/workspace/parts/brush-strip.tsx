import { useEffect, useLayoutEffect, useRef, useState, type PointerEvent } from 'react'
import { Slider, SliderThumb, SliderTrack } from 'react-aria-components'
import { useIntl } from 'react-intl'
import styles from './brush-strip.module.css'

/** One value of the brushed dimension, in order. */
interface BrushItem {
  key: string
  label: string
  count: number
}

/** A number between two values: before the one with that index. */
interface BrushEdge {
  before: number
  text: string
}

export interface BrushSpan {
  first: number
  last: number
}

const SETTLE_MS = 500
const LINGER_MS = 1500

interface BrushStripProps {
  label: string
  items: readonly BrushItem[]
  /** The selected span; `null` for everything. */
  span: BrushSpan | null
  /** The span that another view of the same dimension is brushing. */
  moving?: BrushSpan | null
  height: number
  /** The numbers between values that are bands of one: those that have room are told on a scale. */
  edges?: readonly BrushEdge[]
  /** Called while the pointer moves. */
  onMove?(span: BrushSpan): void
  /** Called when the pointer or focus enters, to prepare for moves. */
  onEnter?(): void
  /** Called when a gesture ended without a selection. */
  onCancel?(): void
  onChange(span: BrushSpan | null): void
}

/** The span that a gesture has marked, until the slice of its end has been computed. */
function useMarkedSpan({ items, span, moving = null, onMove, onChange }: BrushStripProps) {
  const last = items.length - 1
  const [marked, setMarked] = useState<BrushSpan | null>(null)
  const chosen = span === null ? '' : `${span.first} ${span.last}`
  const [computed, setComputed] = useState(chosen)
  // A handle stays where it was put until its slice has been computed.
  if (computed !== chosen) {
    setComputed(chosen)
    setMarked(null)
  }
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const after = (milliseconds: number, work: () => void): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(work, milliseconds)
  }
  const shown = marked ?? moving ?? span ?? { first: 0, last }
  return {
    shown,
    /** Marks a span immediately; the figures follow. */
    mark: (next: BrushSpan): void => {
      if (next.first !== shown.first || next.last !== shown.last) setMarked(next)
      onMove?.(next)
    },
    settle: (next: BrushSpan): void => onChange(next.first === 0 && next.last === last ? null : next),
    /** The new slice sets the span to its final position; without one it reverts after a while. */
    release: (): void => after(LINGER_MS, () => setMarked(null)),
    revert: (): void => setMarked(null),
    after,
  }
}
type MarkedSpan = ReturnType<typeof useMarkedSpan>

/**
 * A histogram with two handles: a drag selects a span, a click one value; the handles can also be
 * moved with the keyboard.
 */
export function BrushStrip(props: BrushStripProps) {
  const { items, onEnter } = props
  const span = useMarkedSpan(props)
  const { shown } = span
  if (items.length === 0) return null
  return (
    <div className={styles.strip} onPointerEnter={onEnter} onFocus={onEnter}>
      <Histogram {...props} marked={span} />
      <Scale {...props} />
      {/* Of a single value nothing can be left out. */}
      {items.length === 1 ? null : <Handles {...props} marked={span} />}
      <div className={styles.labels}>
        <span>{items[shown.first]?.label ?? ''}</span>
        {items.length === 1 ? null : <span>{items[shown.last]?.label ?? ''}</span>}
      </div>
    </div>
  )
}

/** Numbers on a scale have room for this many letters together. */
const SCALE_LETTERS = 28

/** The numbers at the edges of the bars: as many as there is room for, at equal distances. */
function Scale({ items, edges }: BrushStripProps) {
  if (edges === undefined || edges.length === 0) return null
  const letters = Math.max(1, ...edges.map(({ text }) => text.length)) + 1
  const step = Math.max(1, Math.ceil((edges.length * letters) / SCALE_LETTERS))
  return (
    // The handles below tell their bands to assistive technology.
    <div className={styles.scale} aria-hidden data-testid="brush-scale">
      {edges.map(({ before, text }, at) => (
        <span key={before} style={{ left: `${(100 * before) / items.length}%` }}>
          {at % step === 0 ? text : ''}
        </span>
      ))}
    </div>
  )
}

type StripPartProps = BrushStripProps & { marked: MarkedSpan }

/** The bars: a drag over them selects a span. */
function Histogram({ items, span, height, onCancel, onChange, marked }: StripPartProps) {
  const intl = useIntl()
  const area = useRef<HTMLDivElement>(null)
  const from = useRef<number | null>(null)
  const { shown } = marked
  const top = Math.max(1, ...items.map(({ count }) => count))
  const indexAt = (event: PointerEvent): number => {
    const { left, width } = area.current!.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left) / width) * items.length)
    return Math.min(items.length - 1, Math.max(0, index))
  }
  const spanTo = (to: number): BrushSpan => ({
    first: Math.min(from.current!, to),
    last: Math.max(from.current!, to),
  })
  return (
    <div
      ref={area}
      className={styles.area}
      style={{ height }}
      data-testid="brush"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = indexAt(event)
        marked.mark(spanTo(from.current))
      }}
      onPointerMove={(event) => {
        if (from.current !== null) marked.mark(spanTo(indexAt(event)))
      }}
      onPointerUp={(event) => {
        if (from.current === null) return
        const next = spanTo(indexAt(event))
        from.current = null
        // Selecting the same single value again clears the selection.
        const again = next.first === next.last && span?.first === next.first && span.last === next.last
        if (again) onChange(null)
        else marked.settle(next)
        marked.release()
      }}
      onPointerCancel={() => {
        from.current = null
        marked.revert()
        onCancel?.()
      }}
    >
      {items.map(({ key, label: text, count }, index) => (
        <i
          key={key}
          title={`${text}: ${intl.formatNumber(count)}`}
          className={index >= shown.first && index <= shown.last ? styles.bar : styles.out}
          style={{ height: `${Math.max(3, (100 * count) / top)}%` }}
        />
      ))}
    </div>
  )
}

/** The handles at both ends, which the pointer, the keyboard and assistive technology move. */
function Handles({ label, items, marked }: StripPartProps) {
  const intl = useIntl()
  const isPressed = useRef(false)
  const inputs = { first: useRef<HTMLInputElement>(null), last: useRef<HTMLInputElement>(null) }
  const last = items.length - 1
  const { shown } = marked
  // The library writes the index as the value's text whenever a handle moves.
  useLayoutEffect(() => {
    for (const end of ['first', 'last'] as const)
      inputs[end].current?.setAttribute('aria-valuetext', items[shown[end]]?.label ?? '')
  })
  return (
    <Slider
      aria-label={label}
      onPointerDownCapture={() => (isPressed.current = true)}
      minValue={0}
      maxValue={Math.max(1, last)}
      value={[shown.first, shown.last]}
      onChange={([first = 0, end = last]) => {
        const next = { first, last: Math.min(last, end) }
        marked.mark(next)
        // Assistive technology changes the value without signalling the end of the change.
        marked.after(SETTLE_MS, () => {
          if (!isPressed.current) marked.settle(next)
        })
      }}
      // Adds one history entry per gesture, not one per position.
      onChangeEnd={([first = 0, end = last]) => {
        isPressed.current = false
        marked.settle({ first, last: Math.min(last, end) })
        marked.release()
      }}
    >
      <SliderTrack className={styles.track}>
        {(['first', 'last'] as const).map((end, index) => (
          <SliderThumb
            key={end}
            index={index}
            className={styles.thumb}
            inputRef={inputs[end]}
            aria-label={intl.formatMessage({ id: `workspace.brush.${end}` })}
          />
        ))}
      </SliderTrack>
    </Slider>
  )
}
