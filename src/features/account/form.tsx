import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/panel.tsx'
import styles from '../../ui/fields/form.module.css'
import type { FormState } from './use-form.ts'

interface FormProps extends FormState {
  /** Message id of what the button does. */
  label: string
  primary?: boolean
  disabled?: boolean
  /** The fields. */
  children: ReactNode
  /** What stands below the button. */
  below?: ReactNode
}

/** The fields of a form; at its end why it was refused, and the button that sends it. */
export function Form(props: FormProps) {
  const { failed, busy, submit, label, primary = true, disabled = false, children, below } = props
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {children}
      {failed ? <ErrorNotice error={failed} /> : null}
      <Button
        primary={primary}
        type="submit"
        className={styles.submit}
        disabled={busy || disabled}
        text={busy ? 'form.sending' : label}
      />
      {below}
    </form>
  )
}
