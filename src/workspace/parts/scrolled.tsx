import type { ReactNode } from 'react'
import styles from './scrolled.module.css'

/** A table that scrolls if it is larger than its container; `label` names it for screen readers. */
export const Scrolled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={styles.scroll} tabIndex={0} role="group" aria-label={label}>
    {children}
  </div>
)
