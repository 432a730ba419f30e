import type { ReactNode } from 'react'
import styles from './columns.module.css'

/** On wide screens two columns, the first wider; on others its children below each other. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
)
