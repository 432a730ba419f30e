import type { HTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import styles from './row.module.css'

interface RowProps extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'form' | 'header' | 'li' | 'nav' | 'span'
  /** The first child at the start of the line and the last at its end. */
  spread?: boolean
}

/** Its children beside each other, on as many lines as they need. */
export const Row = ({ as: Tag = 'div', spread, className, ...rest }: RowProps) => (
  <Tag className={classNames(spread ? styles.spread : styles.row, className)} {...rest} />
)
