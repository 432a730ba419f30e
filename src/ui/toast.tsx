import { useEffect, useRef, useSyncExternalStore } from 'react'
import styles from './toast.module.css'

/** How long a toast is shown, in milliseconds (specification section 9). */
export const TOAST_MS = { short: 1000, submitting: 1500, usual: 2000, long: 3000 } as const

export type ToastKind = 'plain' | 'good' | 'bad'

interface Toast {
  id: number
  text: string
  kind: ToastKind
}

let shown: readonly Toast[] = []
let nextId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Shows a message for a moment, also to screen readers. A text that is already shown is not repeated. */
export function showToast(text: string, kind: ToastKind = 'plain', ms: number = TOAST_MS.usual): void {
  if (shown.some((toast) => toast.text === text)) return
  nextId += 1
  const id = nextId
  change([...shown, { id, text, kind }])
  setTimeout(() => change(shown.filter((toast) => toast.id !== id)), ms)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The container of toasts: above everything, dialogs included. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown)
  const layer = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = layer.current
    if (!element?.showPopover) return
    // Reopened every time, because the popover opened last is on top.
    if (element.matches(':popover-open')) element.hidePopover()
    if (toasts.length > 0) element.showPopover()
  }, [toasts])
  return (
    <div ref={layer} className={styles.layer} popover="manual" role="status" aria-live="polite">
      {toasts.map(({ id, text, kind }) => (
        <p key={id} className={`${styles.toast} ${styles[kind]}`}>
          {text}
        </p>
      ))}
    </div>
  )
}
