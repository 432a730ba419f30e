import { useId, type ReactNode } from 'react'
import texts from '../text.module.css'
import styles from './choices.module.css'

interface Choice {
  value: string
  label: ReactNode
}

interface OneOfProps {
  legend: ReactNode
  value: string
  choices: readonly Choice[]
  disabled?: boolean
  onChange(value: string): void
}

/** A few choices side by side, exactly one of them selected. */
export function OneOf({ legend, value, choices, disabled = false, onChange }: OneOfProps) {
  const name = useId()
  return (
    <fieldset className={styles.segments} disabled={disabled}>
      <legend className={texts.hidden}>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.segment}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}

interface AnyOfProps {
  legend: ReactNode
  values: readonly string[]
  choices: readonly Choice[]
  disabled?: boolean
  /** A choice was toggled: the caller must update its latest list, which may not be rendered yet. */
  onToggle(value: string): void
}

/** A few choices side by side, any number of them selected; none means all. */
export function AnyOf({ legend, values, choices, disabled = false, onToggle }: AnyOfProps) {
  return (
    <fieldset className={styles.segments} disabled={disabled}>
      <legend className={texts.hidden}>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.segment}>
          <input
            type="checkbox"
            checked={values.includes(choice.value)}
            onChange={() => onToggle(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}
