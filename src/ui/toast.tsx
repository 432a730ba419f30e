import { useEffect, useRef } from 'react'
import { createStore } from '../data/client/create-store.ts'
import styles from './toast.module.css'

/** How long a toast is shown, in milliseconds (specification section 9). */
export const TOAST_MS = { short: 1000, submitting: 1500, usual: 2000, long: 3000 } as const

export type ToastKind = 'plain' | 'good' | 'bad'

interface Toast {
  id: number
  text: string
  kind: ToastKind
}

const shown = createStore<readonly Toast[]>([])
let nextId = 0

/** Shows a message for a moment, also to screen readers. A text that is already shown is not repeated. */
export function showToast(text: string, kind: ToastKind = 'plain', ms: number = TOAST_MS.usual): void {
  if (shown.now().some((toast) => toast.text === text)) return
  nextId += 1
  const id = nextId
  shown.set([...shown.now(), { id, text, kind }])
  setTimeout(() => shown.set(shown.now().filter((toast) => toast.id !== id)), ms)
}

/** The container of toasts: above everything, dialogs included. */
export function Toasts() {
  const toasts = shown.use()
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
