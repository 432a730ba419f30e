import type { HTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import styles from './list.module.css'

interface ListProps extends HTMLAttributes<HTMLElement> {
  as?: 'ol' | 'ul'
}

/** A list without marks. */
export const List = ({ as: Tag = 'ul', className, ...rest }: ListProps) => (
  <Tag className={classNames(styles.list, className)} {...rest} />
)

/** An item of a list with a figure or a mark at its end, separated from the next by a line. */
export const Entry = ({ className, ...rest }: HTMLAttributes<HTMLLIElement>) => (
  <li className={classNames(styles.entry, className)} {...rest} />
)

/** An item of a list as a card. */
export const Card = ({ className, ...rest }: HTMLAttributes<HTMLLIElement>) => (
  <li className={classNames(styles.card, className)} {...rest} />
)
