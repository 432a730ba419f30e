import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { Slider, SliderThumb, SliderTrack } from 'react-aria-components'
import { useIntl } from 'react-intl'
import styles from './brush-strip.module.css'

/** One value of the brushed dimension, in order. */
interface BrushItem {
  key: string
  label: string
  count: number
}

export interface BrushSpan {
  first: number
  last: number
}

const RESTING_MS = 500
const LINGER_MS = 1500

interface BrushStripProps {
  label: string
  items: readonly BrushItem[]
  /** The selected span; `null` for everything. */
  span: BrushSpan | null
  /** The span that another view of the same dimension is brushing. */
  moving?: BrushSpan | null
  height: number
  /** Called while the pointer moves. */
  onMove?(span: BrushSpan): void
  /** Called when the pointer or focus enters, to prepare for moves. */
  onEnter?(): void
  /** Called when a gesture ended without a selection. */
  onCancel?(): void
  onChange(span: BrushSpan | null): void
}

/**
 * A histogram with two handles: a drag selects a span, a click one value; the handles can also be
 * moved with the keyboard.
 */
export function BrushStrip({
  label,
  items,
  span,
  moving = null,
  height,
  onMove,
  onEnter,
  onCancel,
  onChange,
}: BrushStripProps) {
  const intl = useIntl()
  const area = useRef<HTMLDivElement>(null)
  const from = useRef<number | null>(null)
  const last = items.length - 1
  const top = Math.max(1, ...items.map(({ count }) => count))
  const [dragged, setDragged] = useState<BrushSpan | null>(null)
  const chosen = span === null ? '' : `${span.first} ${span.last}`
  const [answered, setAnswered] = useState(chosen)
  // A handle stays where it was put until its slice has been computed.
  if (answered !== chosen) {
    setAnswered(chosen)
    setDragged(null)
  }
  const held = useRef(false)
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(resting.current), [])
  const shown = dragged ?? moving ?? span ?? { first: 0, last }
  const indexAt = (event: PointerEvent): number => {
    const { left, width } = area.current!.getBoundingClientRect()
    return Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * items.length)))
  }
  const spanTo = (to: number): BrushSpan => ({
    first: Math.min(from.current!, to),
    last: Math.max(from.current!, to),
  })
  const settle = (next: BrushSpan): void => onChange(next.first === 0 && next.last === last ? null : next)
  /** Marks the pointer's span immediately; the figures follow. */
  const show = (next: BrushSpan): void => {
    if (next.first !== shown.first || next.last !== shown.last) setDragged(next)
    onMove?.(next)
  }
  /** The new slice sets the span to its final position; without one it reverts after a while. */
  const letGo = (): void => {
    clearTimeout(resting.current)
    resting.current = setTimeout(() => setDragged(null), LINGER_MS)
  }
  if (items.length === 0) return null
  return (
    <div className={styles.strip} onPointerEnter={onEnter} onFocus={onEnter}>
      <div
        ref={area}
        className={styles.area}
        style={{ height }}
        data-testid="brush"
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = indexAt(event)
          show(spanTo(from.current))
        }}
        onPointerMove={(event) => {
          if (from.current !== null) show(spanTo(indexAt(event)))
        }}
        onPointerUp={(event) => {
          if (from.current === null) return
          const next = spanTo(indexAt(event))
          from.current = null
          // Selecting the same single value again clears the selection.
          const again = next.first === next.last && span?.first === next.first && span.last === next.last
          if (again) onChange(null)
          else settle(next)
          letGo()
        }}
        onPointerCancel={() => {
          from.current = null
          setDragged(null)
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
      <Slider
        aria-label={label}
        onPointerDownCapture={() => (held.current = true)}
        minValue={0}
        maxValue={Math.max(1, last)}
        value={[shown.first, shown.last]}
        onChange={([first = 0, end = last]) => {
          const next = { first, last: Math.min(last, end) }
          setDragged(next)
          onMove?.(next)
          clearTimeout(resting.current)
          // Assistive technology changes the value without signalling the end of the change.
          if (!held.current) resting.current = setTimeout(() => settle(next), RESTING_MS)
        }}
        // Adds one history entry per gesture, not one per position.
        onChangeEnd={([first = 0, end = last]) => {
          held.current = false
          clearTimeout(resting.current)
          settle({ first, last: Math.min(last, end) })
          letGo()
        }}
      >
        <SliderTrack className={styles.track}>
          {(['first', 'last'] as const).map((end, index) => (
            <SliderThumb
              key={end}
              index={index}
              className={styles.thumb}
              aria-label={`${intl.formatMessage({ id: `workspace.brush.${end}` }, { name: label })}: ${items[shown[end]]?.label ?? ''}`}
            />
          ))}
        </SliderTrack>
      </Slider>
      <div className={styles.labels}>
        <span>{items[shown.first]?.label ?? ''}</span>
        <span>{items[shown.last]?.label ?? ''}</span>
      </div>
    </div>
  )
}
