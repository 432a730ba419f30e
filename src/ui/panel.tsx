import { Inbox, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { Button } from './button.tsx'
import { useErrorText } from './use-error-text.ts'
import texts from './text.module.css'
import styles from './panel.module.css'

interface PanelProps {
  /** Lets a table of contents link to the panel. */
  id?: string
  title: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export const Panel = ({ id, title, actions, children }: PanelProps) => (
  <section className={styles.panel} id={id} tabIndex={id === undefined ? undefined : -1}>
    <div className={styles.panelHead}>
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
)

export function Skeleton({ height }: { height: number }) {
  return <div className={styles.skeleton} style={{ height }} aria-hidden="true" data-skeleton="" />
}

export function Hidden({ children }: { children: ReactNode }) {
  return <span className={texts.hidden}>{children}</span>
}

interface NoticeProps {
  kind?: 'plain' | 'warn' | 'error'
  children: ReactNode
}

export function Notice({ kind = 'plain', children }: NoticeProps) {
  const tone = kind === 'plain' ? '' : styles[kind]
  return (
    <div className={`${styles.notice} ${tone}`} role={kind === 'error' ? 'alert' : undefined}>
      {children}
    </div>
  )
}

/** An error in the user's language, with a way to continue. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const errorText = useErrorText()
  return (
    <Notice kind="error">
      <p>{errorText(error)}</p>
      {onRetry ? <Button onClick={onRetry} text="common.retry" /> : null}
    </Notice>
  )
}

interface EmptyProps {
  icon?: LucideIcon
  heading?: ReactNode
  /** In the middle of a page of its own. */
  narrow?: boolean
  /** Message id of what is said, instead of children. */
  text?: string
  children?: ReactNode
  action?: ReactNode
}

/** States that there is nothing to show, and what to do next. */
export const Empty = ({ icon: Icon = Inbox, heading, narrow, text, children, action }: EmptyProps) => (
  <div className={narrow ? `${styles.empty} ${styles.narrow}` : styles.empty}>
    <Icon aria-hidden="true" size={36} strokeWidth={1.4} />
    {heading}
    <p>{text === undefined ? children : <FormattedMessage id={text} />}</p>
    {action}
  </div>
)
