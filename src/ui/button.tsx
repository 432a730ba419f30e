import type { ButtonHTMLAttributes } from 'react'
import { FormattedMessage } from 'react-intl'
import styles from './button.module.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  primary?: boolean
  /** Message id of its words, instead of children. */
  text?: string
  /** What it started has not ended. It then does nothing, but keeps the focus, which `disabled` would take from it. */
  busy?: boolean
}

export const Button = ({
  primary,
  className = '',
  type = 'button',
  text,
  busy = false,
  onClick,
  children,
  ...rest
}: ButtonProps) => (
  <button
    type={type}
    className={`${styles.button} ${primary ? styles.primary : ''} ${className}`}
    aria-disabled={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : onClick}
    {...rest}
  >
    {text === undefined ? children : <FormattedMessage id={text} />}
  </button>
)
