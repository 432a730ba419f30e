import type { ReactNode } from 'react'
import styles from './sort-heading.module.css'

/** The sign of an order behind what is sorted by it. */
const SIGNS = { descending: ' ↓', ascending: ' ↑', none: '' }

interface SortHeadingProps {
  order: keyof typeof SIGNS
  title?: string | undefined
  /** −1 where the keys of a grid reach it. */
  tabIndex?: number
  /** Sorts by the column, or no longer. */
  onToggle(): void
  children: ReactNode
}

/** The heading of a column of figures that a table of groups can be sorted by. */
export const SortHeading = ({ order, title, tabIndex, onToggle, children }: SortHeadingProps) => (
  <th scope="col" title={title} aria-sort={order}>
    <button type="button" className={styles.sort} tabIndex={tabIndex} onClick={onToggle}>
      {children}
      {SIGNS[order]}
    </button>
  </th>
)
