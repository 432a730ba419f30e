import { useId } from 'react'
import { FormattedMessage } from 'react-intl'
import { useWord } from '../../i18n/use-word.ts'
import { Range } from '../../ui/fields/range.tsx'
import { Select, type SelectProps } from '../../ui/fields/select.tsx'
import styles from './lab.module.css'

interface RangeRowProps {
  /** Message id of its name. */
  label: string
  min: number
  max: number
  step: number
  /** `null`: at the end of the slider that means no limit. */
  value: number | null
  /** Which end means no limit. */
  any?: 'min' | 'max'
  show(value: number): string
  /** Called while it moves. */
  onDraft(value: number | null): void
  /** Called when it is released. */
  onCommit(): void
}

/** A slider with one end that may mean no limit. */
export function RangeRow({ label, value, any, show, onDraft, onCommit, ...range }: RangeRowProps) {
  const word = useWord()
  const end = any === 'max' ? range.max : range.min
  return (
    <Range
      label={word(label)}
      {...range}
      value={value ?? end}
      text={value === null ? word('lab.any') : show(value)}
      onChange={(next) => onDraft(any !== undefined && next === end ? null : next)}
      onRest={onCommit}
    />
  )
}

interface NumberRowProps {
  /** Message id of its name. */
  label: string
  /** In the unit of the label; `null` if empty. */
  value: number | null
  min?: number
  max?: number
  step?: number
  onChange(value: number | null): void
}

/** A number that may be left empty; an invalid or out-of-range input is reverted. */
export function NumberRow({ label, value, min = 0, max, step = 1, onChange }: NumberRowProps) {
  const id = useId()
  const word = useWord()
  const shown = value === null ? '' : String(value)
  return (
    <div className={styles.row}>
      <label htmlFor={id}>{word(label)}</label>
      <input
        // Remounts the input when the value changes otherwise, through a link or a step back.
        key={String(value)}
        id={id}
        type="number"
        inputMode="decimal"
        min={min}
        max={max}
        step={step}
        defaultValue={shown}
        placeholder={word('lab.none')}
        className={styles.input}
        onBlur={(event) => {
          const { value: written, validity } = event.target
          if (written === '' && !validity.badInput) {
            if (value !== null) onChange(null)
            // A field that cannot be empty gets its previous or default value, as the page decides.
            event.target.value = shown
            return
          }
          const next = Number(written)
          const fits = !validity.badInput && next >= min && (max === undefined || next <= max)
          if (fits && next !== value) onChange(next)
          else if (!fits) event.target.value = shown
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
      />
    </div>
  )
}

type ChoiceRowProps<Value extends string> = Pick<SelectProps<Value>, 'value' | 'options' | 'onChange'> & {
  /** Message id of its name. */
  label: string
}

export function ChoiceRow<Value extends string>({ label, ...select }: ChoiceRowProps<Value>) {
  const id = useId()
  return (
    <div className={styles.row}>
      <label htmlFor={id}>
        <FormattedMessage id={label} />
      </label>
      <Select id={id} className={styles.input} {...select} />
    </div>
  )
}
