import type { ReactNode } from 'react'
import styles from './panels.module.css'

/** A table that scrolls by itself where it is larger than its place; `label` names it for who cannot see it. */
export const Scrolled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={styles.scroll} tabIndex={0} role="group" aria-label={label}>
    {children}
  </div>
)
