import { useId } from 'react'
import { useIntl } from 'react-intl'
import { Range } from '../../ui/fields/range.tsx'
import styles from './lab.module.css'

interface RangeRowProps {
  label: string
  min: number
  max: number
  step: number
  /** `null`: at the end of the slider that means no limit. */
  value: number | null
  /** Which end means no limit. */
  any: 'min' | 'max' | 'none'
  show(value: number): string
  /** Called while it moves. */
  onDraft(value: number | null): void
  /** Called when it is released. */
  onCommit(): void
}

/** A slider with one end that means no limit. */
export function RangeRow({ label, min, max, step, value, any, show, onDraft, onCommit }: RangeRowProps) {
  const intl = useIntl()
  const end = any === 'max' ? max : min
  return (
    <Range
      label={label}
      min={min}
      max={max}
      step={step}
      value={value ?? end}
      text={value === null ? intl.formatMessage({ id: 'lab.any' }) : show(value)}
      onChange={(next) => onDraft(any !== 'none' && next === end ? null : next)}
      onRest={onCommit}
    />
  )
}

interface NumberRowProps {
  label: string
  /** In the unit of the label; `null` if empty. */
  value: number | null
  min?: number
  max?: number
  step?: number
  disabled?: boolean
  onChange(value: number | null): void
}

/** A number that may be left empty; an invalid or out-of-range input is reverted. */
export function NumberRow({
  label,
  value,
  min = 0,
  max,
  step = 1,
  disabled = false,
  onChange,
}: NumberRowProps) {
  const id = useId()
  const intl = useIntl()
  return (
    <div className={styles.row}>
      <label htmlFor={id}>{label}</label>
      <input
        // Remounts the input when the value changes otherwise, through a link or a step back.
        key={String(value)}
        id={id}
        type="number"
        inputMode="decimal"
        min={min}
        max={max}
        step={step}
        disabled={disabled}
        defaultValue={value ?? ''}
        placeholder={intl.formatMessage({ id: 'lab.none' })}
        className={styles.input}
        onBlur={(event) => {
          const { value: written, validity } = event.target
          if (written === '' && !validity.badInput) {
            if (value !== null) onChange(null)
            // A field that cannot be empty gets its previous or default value, as the page decides.
            if (value !== null) event.target.value = String(value)
            return
          }
          const next = Number(written)
          const fits = !validity.badInput && next >= min && (max === undefined || next <= max)
          if (fits && next !== value) onChange(next)
          else if (!fits) event.target.value = value === null ? '' : String(value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
      />
    </div>
  )
}

interface ChoiceRowProps {
  label: string
  value: string
  choices: readonly { value: string; label: string }[]
  onChange(value: string): void
}

export function ChoiceRow({ label, value, choices, onChange }: ChoiceRowProps) {
  const id = useId()
  return (
    <div className={styles.row}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles.input}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}
