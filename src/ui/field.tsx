import { useId, type ReactNode } from 'react'
import styles from './ui.module.css'

interface Option {
  value: string
  label: string
}

interface SelectProps {
  label: ReactNode
  value: string
  options: readonly Option[]
  disabled?: boolean
  onChange(value: string): void
}

export function SelectField({ label, value, options, disabled = false, onChange }: SelectProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles.control}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}

interface DateProps {
  label: ReactNode
  value: string | null
  min?: string
  max?: string
  onChange(value: string | null): void
}

export function DateField({ label, value, min, max, onChange }: DateProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={styles.control}
        type="date"
        value={value ?? ''}
        min={min}
        max={max}
        onChange={(event) => onChange(event.target.value || null)}
      />
    </div>
  )
}
