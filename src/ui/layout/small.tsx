import type { HTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import texts from './text.module.css'

interface SmallProps extends HTMLAttributes<HTMLElement> {
  /** Of a `time`. */
  dateTime?: string
  as?: 'caption' | 'div' | 'li' | 'p' | 'span' | 'time' | 'ul'
}

/** Small text in a soft colour: what explains, not what is said. */
export const Small = ({ as: Tag = 'p', className, ...rest }: SmallProps) => (
  <Tag className={classNames(texts.small, className)} {...rest} />
)
