import styles from './picker.module.css'

interface PickerProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  /** Whether the label is shown beside it. */
  labelled: boolean
  onChange(value: Value): void
}

/** A native select without a border. */
export function Picker<Value extends string>({
  label,
  value,
  options,
  labelled,
  onChange,
}: PickerProps<Value>) {
  const select = (
    <select
      className={styles.tool}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
  if (!labelled) return select
  return (
    <div className={styles.setting}>
      <span aria-hidden="true">{label}</span>
      {select}
    </div>
  )
}
