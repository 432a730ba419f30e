import { useId } from 'react'
import { FormattedMessage } from 'react-intl'
import { useWord } from '../../i18n/use-word.ts'
import { NumberField, type NumberFieldProps } from '../../ui/fields/number-field.tsx'
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

type NumberRowProps = Omit<NumberFieldProps, 'id' | 'placeholder' | 'className'> & {
  /** Message id of its name. */
  label: string
}

/** The largest number that the address of the lab takes, in units of the currency. */
const MOST = 1_000_000_000

/** A number in the unit of its label; it may be left empty unless it is needed. */
export function NumberRow({ label, min = 0, max = MOST, ...field }: NumberRowProps) {
  const id = useId()
  const word = useWord()
  return (
    <div className={styles.row}>
      <label htmlFor={id}>{word(label)}</label>
      <NumberField
        id={id}
        min={min}
        max={max}
        placeholder={word('lab.none')}
        className={styles.input}
        {...field}
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
