import { useId, type ReactNode, type SelectHTMLAttributes } from 'react'
import { useIntl } from 'react-intl'
import fieldStyles from './field.module.css'
import formStyles from './form.module.css'
import pickerStyles from './picker.module.css'

interface Options<Value extends string> {
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange(value: Value): void
}

export type SelectProps<Value extends string> = Options<Value> &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, keyof Options<Value>>

/** A native select; its children are options before the others. */
export function Select<Value extends string>({ options, onChange, children, ...rest }: SelectProps<Value>) {
  return (
    <select onChange={(event) => onChange(event.target.value as Value)} {...rest}>
      {children}
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

interface SelectFieldProps extends Options<string> {
  label: ReactNode
  disabled?: boolean
}

export function SelectField({ label, ...select }: SelectFieldProps) {
  const id = useId()
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id}>{label}</label>
      <Select id={id} className={fieldStyles.control} {...select} />
    </div>
  )
}

interface DictionarySelectProps extends Options<string> {
  label: ReactNode
  error?: string | undefined
}

/** Selects a dictionary item; shows a prompt while the value is not one of them. */
export function DictionarySelect({ label, value, error, ...select }: DictionarySelectProps) {
  const intl = useIntl()
  const id = useId()
  const known = select.options.some((option) => option.value === value)
  return (
    <div className={formStyles.field}>
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        className={formStyles.input}
        value={known ? value : ''}
        aria-invalid={error === undefined ? undefined : true}
        {...select}
      >
        {known ? null : (
          <option value="" disabled>
            {intl.formatMessage({ id: 'common.pleaseSelect' })}
          </option>
        )}
      </Select>
      {error === undefined ? null : <p className={formStyles.error}>{error}</p>}
    </div>
  )
}

interface PickerProps<Value extends string> extends Options<Value> {
  label: string
  /** Whether the label is shown beside it. */
  labelled: boolean
}

/** A native select without a border. */
export function Picker<Value extends string>({ label, labelled, ...select }: PickerProps<Value>) {
  const picker = <Select className={pickerStyles.tool} aria-label={label} {...select} />
  if (!labelled) return picker
  return (
    <div className={pickerStyles.setting}>
      <span aria-hidden="true">{label}</span>
      {picker}
    </div>
  )
}
