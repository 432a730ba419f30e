import type { ReactNode } from 'react'
import styles from './sort-heading.module.css'

interface SortHeadingProps {
  isSorted: boolean
  title?: string | undefined
  /** Sorts by the column, the largest first, or no longer. */
  onToggle(): void
  children: ReactNode
}

/** The heading of a column of figures that a table of groups can be sorted by. */
export const SortHeading = ({ isSorted, title, onToggle, children }: SortHeadingProps) => (
  <th scope="col" title={title} aria-sort={isSorted ? 'descending' : 'none'}>
    <button type="button" className={styles.sort} onClick={onToggle}>
      {children}
      {isSorted ? ' ↓' : ''}
    </button>
  </th>
)
