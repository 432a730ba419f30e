import type { ReactNode } from 'react'
import styles from './stale.module.css'

/** Fades a result that is still shown while the next one is computed. */
export const Stale = ({ stale, children }: { stale: boolean; children: ReactNode }) => (
  <div className={stale ? styles.stale : ''} aria-busy={stale}>
    {children}
  </div>
)
