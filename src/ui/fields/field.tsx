import { useId, type ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { DateButton } from './date-button.tsx'
import styles from './field.module.css'

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

const TODAY = new Date().toISOString().slice(0, 10)

/** An optional day, selected in a calendar in the user's language. */
export function DateField({ label, value, min, max, onChange }: DateProps) {
  const intl = useIntl()
  const format = useFormat()
  const text = value === null ? intl.formatMessage({ id: 'common.chooseDay' }) : format.day(value)
  return (
    <div className={styles.field}>
      <span>{label}</span>
      <DateButton
        value={value ?? max ?? TODAY}
        text={text}
        onChange={(day) =>
          onChange(min !== undefined && day < min ? min : max !== undefined && day > max ? max : day)
        }
      />
    </div>
  )
}
