import { useId, type ReactNode } from 'react'
import { useIntl } from 'react-intl'
import styles from './form.module.css'

interface DictionarySelectProps {
  label: ReactNode
  items: readonly { label: string; value: string }[]
  /** Empty if nothing is selected yet. */
  value: string
  error?: string | undefined
  onChange(value: string): void
}

/** Selects a dictionary item; shows a prompt until one is selected. */
export function DictionarySelect({ label, items, value, error, onChange }: DictionarySelectProps) {
  const intl = useIntl()
  const id = useId()
  const known = items.some((item) => item.value === value)
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles.input}
        value={known ? value : ''}
        aria-invalid={error === undefined ? undefined : true}
        onChange={(event) => onChange(event.target.value)}
      >
        {known ? null : (
          <option value="" disabled>
            {intl.formatMessage({ id: 'common.pleaseSelect' })}
          </option>
        )}
        {items.map((item) => (
          <option key={item.value} value={item.value}>
            {item.label}
          </option>
        ))}
      </select>
      {error === undefined ? null : <p className={styles.error}>{error}</p>}
    </div>
  )
}
