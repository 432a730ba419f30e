import type { DetailsHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import styles from './table-twin.module.css'

/** The figures of a chart as a table, below a line that opens it. */
export const TableTwin = ({ className, ...rest }: DetailsHTMLAttributes<HTMLDetailsElement>) => (
  <details className={classNames(styles.twin, className)} {...rest} />
)
