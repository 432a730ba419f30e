import type { ReactNode } from 'react'
import styles from './page-title.module.css'

interface PageTitleProps {
  as?: 'div' | 'header'
  children: ReactNode
}

/** The heading of a screen and the sentences below it. */
export const PageTitle = ({ as: Tag = 'header', children }: PageTitleProps) => (
  <Tag className={styles.title}>{children}</Tag>
)
