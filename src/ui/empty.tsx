import { Inbox, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './empty.module.css'

interface EmptyProps {
  icon?: LucideIcon
  heading?: ReactNode
  /** In the middle of a page of its own. */
  narrow?: boolean
  children: ReactNode
  action?: ReactNode
}

/** States that there is nothing to show, and what to do next. */
export function Empty({ icon: Icon = Inbox, heading, narrow, children, action }: EmptyProps) {
  return (
    <div className={narrow ? `${styles.empty} ${styles.narrow}` : styles.empty}>
      <Icon aria-hidden="true" size={36} strokeWidth={1.4} />
      {heading}
      <p>{children}</p>
      {action}
    </div>
  )
}
