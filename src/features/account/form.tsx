import { useMutation } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { asFurlongError } from '../../../domain/errors.ts'
import { sendCode } from '../../../contract/api/account.ts'
import { call } from '../../data/client/call.ts'
import { Button } from '../../ui/button.tsx'
import styles from '../../ui/fields/form.module.css'
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx'
import { ErrorNotice } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useErrorText } from '../../ui/use-error-text.ts'
import { RULES } from './rules.ts'
import type { Field, FormState } from './use-form.ts'

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

export const PhoneField = (props: Field<string> & { hint?: ReactNode }) => (
  <TextField label={<FormattedMessage id="form.phone" />} type="tel" autoComplete="tel" {...props} />
)

export const NicknameField = (props: Field<string>) => (
  <TextField
    label={<FormattedMessage id="form.nickname" />}
    hint={<FormattedMessage id="field.nickname" />}
    autoComplete="nickname"
    maxLength={20}
    {...props}
  />
)

interface NewPasswordProps {
  /** Message id of the first field's label. */
  label: string
  field(key: 'password' | 'confirmPassword'): Field<string>
}

/** A new password with its rule, and its confirmation. */
export const NewPassword = ({ label, field }: NewPasswordProps) => (
  <>
    <PasswordField
      label={<FormattedMessage id={label} />}
      hint={<FormattedMessage id="field.password" />}
      autoComplete="new-password"
      {...field('password')}
    />
    <PasswordField
      label={<FormattedMessage id="form.confirmPassword" />}
      autoComplete="new-password"
      {...field('confirmPassword')}
    />
  </>
)

interface CodeFieldProps extends Field<string> {
  mobile: string
  purpose: 'register' | 'login' | 'reset'
}

/**
 * A verification code with the button that sends one; it can be sent again after the
 * time given by the server.
 */
export function CodeField({ mobile, purpose, value, error, onChange }: CodeFieldProps) {
  const intl = useIntl()
  const errorText = useErrorText()
  const [left, setLeft] = useState(0)
  const [refused, setRefused] = useState<string | undefined>()
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  const sending = useMutation({
    mutationFn: () => call(sendCode, { mobile, purpose }),
    onSuccess: ({ seconds, code }) => {
      setLeft(seconds)
      showToast(intl.formatMessage({ id: 'code.sent' }), 'good')
      // A server in development returns the code itself.
      if (code !== undefined) onChange(code)
    },
    onError: (failed) => {
      const { details } = asFurlongError(failed)
      if (typeof details['seconds'] === 'number') setLeft(Math.min(details['seconds'], 900))
      setRefused(errorText(failed))
    },
  })
  const request = (): void => {
    const wrong = RULES.phone(mobile)
    setRefused(wrong === null ? undefined : intl.formatMessage({ id: wrong }))
    if (wrong !== null) return
    sending.mutate()
  }
  return (
    <TextField
      label={<FormattedMessage id="form.captcha" />}
      value={value}
      error={error ?? refused}
      hint={intl.formatMessage({ id: 'field.code' })}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      onChange={onChange}
      beside={
        <Button onClick={request} disabled={left > 0 || sending.isPending}>
          {left > 0 ? (
            <FormattedMessage id="code.again" values={{ seconds: left }} />
          ) : (
            <FormattedMessage id="code.send" />
          )}
        </Button>
      }
    />
  )
}
