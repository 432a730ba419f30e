import type { ReactNode } from 'react'
import texts from './layout/text.module.css'
import styles from './panel.module.css'

interface PanelProps {
  /** Lets a table of contents link to the panel. */
  id?: string
  title: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function Panel({ id, title, actions, children }: PanelProps) {
  return (
    <section className={styles.panel} id={id} tabIndex={id === undefined ? undefined : -1}>
      <div className={styles.panelHead}>
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}

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
  const tone = kind === 'plain' ? '' : kind === 'warn' ? styles.warn : styles.error
  return (
    <div className={`${styles.notice} ${tone}`} role={kind === 'error' ? 'alert' : undefined}>
      {children}
    </div>
  )
}
