import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import styles from './list-end.module.css'

/** What stands below the last item of a list, in the middle. */
export const ListEnd = ({ className, ...rest }: ComponentProps<'p'>) => (
  <p className={classNames(styles.end, className)} {...rest} />
)
