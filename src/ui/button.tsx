import type { ButtonHTMLAttributes } from 'react'
import { FormattedMessage } from 'react-intl'
import styles from './button.module.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  primary?: boolean
  /** Message id of its words, instead of children. */
  text?: string
}

export const Button = ({
  primary,
  className = '',
  type = 'button',
  text,
  children,
  ...rest
}: ButtonProps) => (
  <button type={type} className={`${styles.button} ${primary ? styles.primary : ''} ${className}`} {...rest}>
    {text === undefined ? children : <FormattedMessage id={text} />}
  </button>
)
