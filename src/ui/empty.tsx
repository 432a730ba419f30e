import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './layout.module.css'

/** States that there is nothing to show, and what to do next. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Inbox aria-hidden="true" size={36} strokeWidth={1.4} />
      <p>{children}</p>
      {action}
    </div>
  )
}
