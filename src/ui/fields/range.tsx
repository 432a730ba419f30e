import { useId } from 'react'
import styles from './range.module.css'

interface RangeProps {
  label: string
  /** The label is only for screen readers, because the surrounding row shows it. */
  inline?: boolean
  min: number
  max: number
  step: number
  value: number
  /** The formatted value. */
  text: string
  /** Called while it moves. */
  onChange(value: number): void
  /** Called when it is released. */
  onRest?(): void
}

/** A slider with its formatted value. */
export function Range({ label, inline = false, min, max, step, value, text, onChange, onRest }: RangeProps) {
  const id = useId()
  return (
    <div className={inline ? styles.inline : styles.range}>
      {inline ? null : <label htmlFor={id}>{label}</label>}
      <output htmlFor={id}>{text}</output>
      <input
        id={id}
        type="range"
        {...(inline ? { 'aria-label': label } : {})}
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={text}
        onChange={(event) => onChange(Number(event.target.value))}
        onPointerUp={onRest}
        onKeyUp={onRest}
        onBlur={onRest}
      />
    </div>
  )
}
