import type { TableHTMLAttributes, ThHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import styles from './table.module.css'

/** A table of figures: everything but the first column and its `TextCell`s is at the end of the cell. */
export const Table = ({ className, ...rest }: TableHTMLAttributes<HTMLTableElement>) => (
  <table className={classNames(styles.table, className)} {...rest} />
)

interface TextCellProps extends ThHTMLAttributes<HTMLTableCellElement> {
  as?: 'td' | 'th'
}

/** A cell of a `Table` with text, which begins at its start. */
export const TextCell = ({ as: Tag = 'td', className, ...rest }: TextCellProps) => (
  <Tag className={classNames(styles.text, className)} {...rest} />
)
