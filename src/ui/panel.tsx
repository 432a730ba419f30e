import type { ReactNode } from 'react'
import styles from './ui.module.css'

interface PanelProps {
  title: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function Panel({ title, actions, children }: PanelProps) {
  return (
    <section className={styles.panel}>
      <div className={styles.panelHead}>
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}

export function Skeleton({ height }: { height: number }) {
  return <div className={styles.skeleton} style={{ height }} aria-hidden="true" />
}

export function Hidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>
}

interface NoticeProps {
  kind?: 'plain' | 'warn' | 'error'
  children: ReactNode
}

export function Notice({ kind = 'plain', children }: NoticeProps) {
  const tone = kind === 'plain' ? '' : kind === 'warn' ? styles.warn : styles.error
  return (
    <div className={`${styles.notice} ${tone}`} role={kind === 'error' ? 'alert' : undefined}>
      {children}
    </div>
  )
}
