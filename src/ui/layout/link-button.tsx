import type { AnchorHTMLAttributes } from 'react'
import { Link, type LinkProps } from 'react-router-dom'
import { classNames } from './class-names.ts'
import styles from './link-button.module.css'
import stacks from './stack.module.css'

type LinkButtonProps = {
  /** Without the colour of the main action. */
  quiet?: boolean
} & (LinkProps | (AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }))

/** A link that looks like a button: `to` a screen, or with an `href` to somewhere else. */
export function LinkButton({ quiet, className, children, ...rest }: LinkButtonProps) {
  const names = classNames(styles.button, stacks.linkButton, quiet && styles.quiet, className)
  return 'to' in rest ? (
    <Link className={names} {...rest}>
      {children}
    </Link>
  ) : (
    <a className={names} {...rest}>
      {children}
    </a>
  )
}
