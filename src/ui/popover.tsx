import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode, type ToggleEvent } from 'react'
import styles from './popover.module.css'

interface PopoverProps {
  /** What its button shows. */
  button: ReactNode
  /** The button's name, where it shows no words or not all of them. */
  label?: string
  /** Instead of the look of a select. */
  className?: string
  /** Called once it is shown or hidden, where it shows something only while it is open. */
  onOpen?(isOpen: boolean): void
  /** What it shows; `close` hides it, and returns the focus to its button. */
  children: ReactNode | ((close: () => void) => ReactNode)
}

const GAP = 4

/** Places what opens beside its button, towards the middle of the window. */
function place(box: HTMLElement, button: Element): void {
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const isLeft = left + right < innerWidth
  const isUpper = top + bottom < innerHeight
  const { style } = box
  style.left = isLeft ? `${left}px` : 'auto'
  style.right = isLeft ? 'auto' : `${innerWidth - right}px`
  style.top = isUpper ? `${bottom + GAP}px` : 'auto'
  style.bottom = isUpper ? 'auto' : `${innerHeight - top + GAP}px`
  style.maxHeight = `${(isUpper ? innerHeight - bottom : top) - 3 * GAP}px`
}

/**
 * A button that opens some controls beside it; a click outside, Escape and a scroll of the page close them. They are the
 * browser's own popover, so that opening and closing renders nothing.
 */
export function Popover({ button, label, className = '', onOpen, children }: PopoverProps) {
  const id = useId()
  const close = (): void => document.getElementById(id)?.hidePopover?.()
  const watching = useRef<AbortController>(null)
  useEffect(() => () => watching.current?.abort(), [])
  const onBeforeToggle = ({ newState, currentTarget }: ToggleEvent<HTMLDivElement>): void => {
    const isOpen = newState === 'open'
    // Keys of the page behind it look for this.
    currentTarget.dataset['open'] = String(isOpen)
    watching.current?.abort()
    if (!isOpen) return
    const opener = currentTarget.previousElementSibling!
    place(currentTarget, opener)
    const { top } = opener.getBoundingClientRect()
    const onScroll = (): void => {
      // The event of a scroll that brought the button into view comes after its click.
      if (Math.abs(opener.getBoundingClientRect().top - top) > GAP) close()
    }
    watching.current = new AbortController()
    addEventListener('scroll', onScroll, { passive: true, signal: watching.current.signal })
  }
  return (
    <>
      <button
        type="button"
        className={`${styles.button} ${className}`}
        aria-label={label}
        title={label}
        popoverTarget={id}
      >
        {button}
        {className === '' ? <ChevronDown aria-hidden="true" size={14} /> : null}
      </button>
      <div
        id={id}
        popover="auto"
        className={styles.box}
        onBeforeToggle={onBeforeToggle}
        onToggle={onOpen && (({ newState }) => onOpen(newState === 'open'))}
      >
        {typeof children === 'function' ? children(close) : children}
      </div>
    </>
  )
}
