import styles from './chip.module.css'

interface ChipProps {
  /** The content; `null` means hidden and is shown as a question mark. */
  value: number | string | null
  tone?: 'plain' | 'first' | 'hit'
  label?: string
}

/** A saddle number, styled like a saddle cloth. */
export const Chip = ({ value, tone = 'plain', label }: ChipProps) => (
  <span className={`${styles.chip} ${styles[tone]}`} {...(label ? { role: 'img', 'aria-label': label } : {})}>
    {value ?? '?'}
  </span>
)
