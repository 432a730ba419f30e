import { X } from 'lucide-react'
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { useIntl } from 'react-intl'
import styles from './dialog.module.css'

interface DialogProps {
  open: boolean
  title: ReactNode
  onClose(): void
  children: ReactNode
  actions?: ReactNode
  wide?: boolean
  /** It stays where it is, and as high, whatever it contains. */
  pinned?: boolean
}

/**
 * A modal dialog; on phones it slides up from the bottom. Escape, its close button
 * and a tap outside close it.
 */
export function Dialog({
  open,
  title,
  onClose,
  children,
  actions,
  wide = false,
  pinned = false,
}: DialogProps) {
  const intl = useIntl()
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = element.current!
    if (open && !dialog.open) {
      dialog.showModal()
      // Otherwise the browser's choice, which is the button that closes it.
      dialog.querySelector<HTMLElement>('[data-first-focus]:not(:disabled)')?.focus()
    }
    if (!open && dialog.open) dialog.close()
  }, [open])
  return (
    // The browser handles Escape; the tap outside is for pointers only.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={element}
      className={`${styles.dialog} ${wide ? styles.wide : ''} ${pinned ? styles.pinned : ''}`}
      aria-labelledby={id}
      // The event fires after the dialog has closed: it may already be open again with other content.
      onClose={() => {
        if (open && !element.current!.open) onClose()
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose()
      }}
    >
      {open ? (
        <div>
          <div className={styles.head}>
            <h2 id={id}>{title}</h2>
            <button
              type="button"
              className={styles.close}
              aria-label={intl.formatMessage({ id: 'common.close' })}
              onClick={onClose}
            >
              <X aria-hidden="true" size={20} />
            </button>
          </div>
          <div className={styles.content}>{children}</div>
          {actions ? <footer className={styles.actions}>{actions}</footer> : null}
        </div>
      ) : null}
    </dialog>
  )
}
