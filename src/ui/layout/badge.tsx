import type { HTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import styles from './badge.module.css'
import texts from './text.module.css'

type Tone = 'accent' | 'gain' | 'loss' | 'soft'

interface BadgeProps extends HTMLAttributes<HTMLSpanElement> {
  tone?: Tone | undefined
}

/** A few words in a frame of their own colour. */
export const Badge = ({ tone, className, ...rest }: BadgeProps) => (
  <span className={classNames(styles.badge, tone && texts[tone], className)} {...rest} />
)
