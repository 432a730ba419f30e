import type { ButtonHTMLAttributes } from 'react'
import styles from './button.module.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  primary?: boolean
}

export function Button({ primary = false, className = '', type = 'button', ...rest }: ButtonProps) {
  const classes = [styles.button, primary ? styles.primary : '', className].join(' ')
  return <button type={type} className={classes} {...rest} />
}
