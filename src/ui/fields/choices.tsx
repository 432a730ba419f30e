import { useId, type InputHTMLAttributes, type ReactNode } from 'react'
import { useWide } from '../behaviour/use-wide.ts'
import { Select } from './select.tsx'
import texts from '../text.module.css'
import styles from './choices.module.css'

interface Choice {
  value: string
  label: ReactNode
}

interface ChoicesProps {
  legend: ReactNode
  choices: readonly Choice[]
  disabled?: boolean
}

interface SegmentsProps extends ChoicesProps {
  /** One of them is a scope, in one frame; several of them are pills. */
  look: 'scope' | 'pills'
  /** The input of a choice. */
  inputOf(value: string): InputHTMLAttributes<HTMLInputElement>
}

const Segments = ({ legend, choices, disabled = false, look, inputOf }: SegmentsProps) => (
  <fieldset className={styles[look]} disabled={disabled}>
    <legend className={texts.hidden}>{legend}</legend>
    {choices.map(({ value, label }) => (
      <label key={value} className={styles.segment}>
        <input {...inputOf(value)} />
        {label}
      </label>
    ))}
  </fieldset>
)

interface OneOfProps extends ChoicesProps {
  value: string
  onChange(value: string): void
}

/** A few choices side by side, exactly one of them selected. */
export function OneOf({ value: chosen, onChange, ...rest }: OneOfProps) {
  const name = useId()
  const inputOf = (value: string) => ({
    type: 'radio',
    name,
    value,
    checked: value === chosen,
    onChange: () => onChange(value),
  })
  return <Segments {...rest} look="scope" inputOf={inputOf} />
}

interface OneOfLongProps extends OneOfProps {
  legend: string
  choices: readonly { value: string; label: string }[]
}

/** The same of long names, which a phone has no room for beside each other: there they are a list. */
export const OneOfLong = (props: OneOfLongProps) =>
  useWide() ? <OneOf {...props} /> : <OneOfList {...props} />

/** Choices that have room beside each other. */
const FEW = 7

/** The same of any number of short names: many are a list. */
export const OneOfMany = (props: OneOfLongProps) =>
  props.choices.length > FEW ? <OneOfList {...props} /> : <OneOf {...props} />

const OneOfList = ({ legend, choices, ...rest }: OneOfLongProps) => (
  <label className={styles.list}>
    {legend}
    <Select options={choices} {...rest} />
  </label>
)

interface AnyOfProps extends ChoicesProps {
  values: readonly string[]
  /** A choice was toggled: the caller must update its latest list, which may not be rendered yet. */
  onToggle(value: string): void
}

/** A few choices side by side, any number of them selected; none means all. */
export function AnyOf({ values, onToggle, ...rest }: AnyOfProps) {
  const inputOf = (value: string) => ({
    type: 'checkbox',
    checked: values.includes(value),
    onChange: () => onToggle(value),
  })
  return <Segments {...rest} look="pills" inputOf={inputOf} />
}
