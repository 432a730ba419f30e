import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useIntl } from 'react-intl'
import { MAX_HEIGHT, MIN_HEIGHT } from '../../../analytics/view/panel-spec.ts'
import panelStyles from './panel.module.css'

const STEP = 40
const PAGE = 160

interface ResizeHandleProps {
  /** Title of the view. */
  title: string
  /** Height of its chart or table in pixels. */
  height: number
  /** Called while the pointer moves, to render the new height. */
  onDraw(height: number | null): void
  /** `null` for the default height. */
  onChange(height: number | null): void
}

const within = (height: number): number => Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, Math.round(height)))

/**
 * The lower edge of a view, which resizes it by dragging or with the arrow keys; Delete restores the default.
 */
export function ResizeHandle({ title, height, onDraw, onChange }: ResizeHandleProps) {
  const intl = useIntl()
  const [drawn, setDrawn] = useState<number | null>(null)
  const from = useRef<{ y: number; height: number } | null>(null)
  const draw = (next: number | null): void => {
    setDrawn(next)
    onDraw(next)
  }
  const end = (event: PointerEvent): void => {
    const before = from.current?.height
    from.current = null
    event.currentTarget.releasePointerCapture(event.pointerId)
    if (drawn !== null && drawn !== before) onChange(drawn)
    draw(null)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: STEP, ArrowUp: -STEP, PageDown: PAGE, PageUp: -PAGE }[event.key]
    if (by === undefined && event.key !== 'Delete') return
    event.preventDefault()
    onChange(by === undefined ? null : within(height + by))
  }
  return (
    <div
      role="separator"
      aria-orientation="horizontal"
      aria-label={intl.formatMessage({ id: 'workspace.height' }, { title })}
      aria-valuemin={MIN_HEIGHT}
      aria-valuemax={MAX_HEIGHT}
      aria-valuenow={drawn ?? height}
      tabIndex={0}
      className={panelStyles.resize}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onChange(null)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { y: event.clientY, height }
      }}
      onPointerMove={(event) => {
        if (from.current) draw(within(from.current.height + event.clientY - from.current.y))
      }}
      onPointerUp={end}
      onPointerCancel={end}
    />
  )
}
