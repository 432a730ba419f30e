import { useState, type KeyboardEvent } from 'react'
import { FormattedMessage } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { fieldNumber, writtenNumber, type FieldProblem, type NumberLimits } from './field-number.ts'
import styles from './number-field.module.css'

export interface NumberFieldProps extends NumberLimits {
  /** The id that its label names. */
  id: string
  /** `null` if empty. */
  value: number | null
  /** What an arrow key adds or takes away. */
  step?: number
  placeholder?: string
  className?: string | undefined
  /** Called with another number once the reader leaves the field or presses Enter. */
  onChange(value: number | null): void
}

/** Decimals to which a step is exact: a sum of binary fractions is not. */
const STEP_PLACES = 10

/**
 * A number in the reader's decimal sign. A text that is not such a number, or out of the limits, stays in the field with
 * the reason below it, and the number before it stays in use.
 */
export function NumberField({
  id,
  value,
  step = 1,
  placeholder,
  className,
  onChange,
  ...limits
}: NumberFieldProps) {
  const { decimalSign } = useFormat()
  const [draft, setDraft] = useState<string | null>(null)
  const [problem, setProblem] = useState<(FieldProblem & { text: string }) | null>(null)
  const [of, setOf] = useState(value)
  // The number was changed otherwise, through a link or a step back.
  if (of !== value) {
    setOf(value)
    setDraft(null)
    setProblem(null)
  }
  const written = value === null ? '' : writtenNumber(value, decimalSign)
  const shown = fieldNumber(draft ?? written, decimalSign, limits)
  const take = (): void => {
    if (draft === null) return
    const read = fieldNumber(draft, decimalSign, limits)
    if ('problem' in read) {
      setProblem({ ...read.problem, text: draft })
      return
    }
    setDraft(null)
    setProblem(null)
    if (read.value !== value) onChange(read.value)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') take()
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (direction === 0) return
    event.preventDefault()
    const read = fieldNumber(draft ?? written, decimalSign, {})
    const from = 'value' in read ? (read.value ?? 0) : (value ?? 0)
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = limits
    const next = Number((from + direction * step).toFixed(STEP_PLACES))
    setDraft(writtenNumber(Math.min(max, Math.max(min, next)), decimalSign))
    setProblem(null)
  }
  return (
    <span className={styles.field}>
      <input
        id={id}
        role="spinbutton"
        inputMode="decimal"
        autoComplete="off"
        className={className}
        value={draft ?? written}
        placeholder={placeholder}
        aria-valuenow={('value' in shown ? shown.value : null) ?? undefined}
        aria-valuemin={limits.min}
        aria-valuemax={limits.max}
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => {
          setDraft(event.target.value)
          setProblem(null)
        }}
        onBlur={take}
        onKeyDown={onKeyDown}
      />
      {problem === null ? null : (
        <span id={`${id}-problem`} role="alert" className={styles.problem}>
          <FormattedMessage
            id={`number.${problem.id}`}
            values={{ text: problem.text, form: problem.form, sign: decimalSign }}
          />{' '}
          {value === null ? null : <FormattedMessage id="number.inUse" values={{ value: written }} />}
        </span>
      )}
    </span>
  )
}
