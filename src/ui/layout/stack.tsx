import type { HTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import styles from './stack.module.css'

interface StackProps extends HTMLAttributes<HTMLElement> {
  as?: 'article' | 'div' | 'figure' | 'form' | 'section'
  /** Half the gap. */
  tight?: boolean
  /** As wide as text is easy to read, in the middle of the page. */
  narrow?: boolean
}

/** Its children below each other, each as wide as the stack. */
export const Stack = ({ as: Tag = 'div', tight, narrow, className, ...rest }: StackProps) => (
  <Tag
    className={classNames(tight ? styles.tight : styles.stack, narrow && styles.narrow, className)}
    {...rest}
  />
)
