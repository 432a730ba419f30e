import { ChevronDown } from 'lucide-react'
import { useId, type ReactNode, type ToggleEvent } from 'react'
import styles from './popover.module.css'

interface PopoverProps {
  /** What its button shows. */
  button: ReactNode
  /** The button's name, where it shows no words or not all of them. */
  label?: string
  /** Instead of the look of a select. */
  className?: string
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
export function Popover({ button, label, className = '', children }: PopoverProps) {
  const id = useId()
  const close = (): void => document.getElementById(id)?.hidePopover?.()
  const onBeforeToggle = ({ newState, currentTarget }: ToggleEvent<HTMLDivElement>): void => {
    const isOpen = newState === 'open'
    // Keys of the page behind it look for this.
    currentTarget.dataset['open'] = String(isOpen)
    if (!isOpen) return
    place(currentTarget, currentTarget.previousElementSibling!)
    addEventListener('scroll', close, { once: true, passive: true })
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
      <div id={id} popover="auto" className={styles.box} onBeforeToggle={onBeforeToggle}>
        {typeof children === 'function' ? children(close) : children}
      </div>
    </>
  )
}
