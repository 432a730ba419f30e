import { Eye, EyeOff } from 'lucide-react'
import { useId, useState, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from 'react'
import { useIntl } from 'react-intl'
import styles from './form.module.css'

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  label: ReactNode
  value: string
  /** The error shown at the field. */
  error?: string | undefined
  hint?: ReactNode
  /** A button beside the input that belongs to it. */
  beside?: ReactNode
  onChange(value: string): void
}

/** A labelled line of text with its hint or error below it. */
export function TextField({ label, error, hint, beside, onChange, ...input }: TextFieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.line}>
        <input
          id={id}
          className={styles.input}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          onChange={(event) => onChange(event.target.value)}
          {...input}
        />
        {beside}
      </div>
      {note === undefined ? null : (
        <p id={`${id}-note`} className={error === undefined ? styles.hint : styles.error}>
          {note}
        </p>
      )}
    </div>
  )
}

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> {
  label: ReactNode
  value: string
  onChange(value: string): void
}

/** A labelled text area. */
export function TextArea({ label, onChange, ...area }: TextAreaProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={`${styles.input} ${styles.lines}`}
        onChange={(event) => onChange(event.target.value)}
        {...area}
      />
    </div>
  )
}

/** A password, which can be made visible. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'beside'>) {
  const intl = useIntl()
  const [open, setOpen] = useState(false)
  const Icon = open ? EyeOff : Eye
  return (
    <TextField
      {...props}
      type={open ? 'text' : 'password'}
      beside={
        <button
          type="button"
          className={styles.peek}
          aria-pressed={open}
          aria-label={intl.formatMessage({ id: 'common.showPassword' })}
          onClick={() => setOpen(!open)}
        >
          <Icon aria-hidden="true" size={18} />
        </button>
      }
    />
  )
}

interface TickProps {
  /** Whether it is ticked. */
  value: boolean
  error?: string | undefined
  children: ReactNode
  onChange(value: boolean): void
}

export function Tick({ value, error, children, onChange }: TickProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.tick}>
        <input
          type="checkbox"
          checked={value}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : id}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{children}</span>
      </label>
      {error === undefined ? null : (
        <p id={id} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}
