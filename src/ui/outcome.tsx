import type { HTMLAttributes } from 'react'
import styles from './outcome.module.css'

/** How something ended, in a frame in the middle of the page. */
export const Outcome = (props: HTMLAttributes<HTMLElement>) => (
  <section className={styles.outcome} {...props} />
)
