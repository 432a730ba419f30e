import { normalisePhone } from '../../../domain/phone.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useIntl, FormattedMessage } from 'react-intl'
import { fieldErrors } from '../../data/client/errors.ts'
import { asFurlongError } from '../../../domain/errors.ts'
import { sendCode } from '../../../contract/api/account.ts'
import { call } from '../../data/client/call.ts'
import { Button } from '../../ui/button.tsx'
import styles from '../../ui/fields/form.module.css'
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx'
import { ErrorNotice } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useErrorText } from '../../ui/use-error-text.ts'
import { useSession } from '../../data/use-session.ts'
import { OneOf } from '../../ui/fields/choices.tsx'

/**
 * Rules of an account's fields (decisions section 5), checked before anything is sent; the
 * server has the final say.
 */
export const RULES = {
  phone: (value: string) => (normalisePhone(value) === null ? 'field.phone' : null),
  captcha: (value: string) => (/^\d{6}$/.test(value) ? null : 'field.code'),
  nickname: (value: string) =>
    value.trim().length >= 1 && value.trim().length <= 20 ? null : 'field.nickname',
  password: (value: string) =>
    value.length >= 8 && value.length <= 64 && /\p{L}/u.test(value) && /\d/.test(value)
      ? null
      : 'field.password',
  needed: (value: string) => (value.trim() === '' ? 'field.required' : null),
} as const

/** Message ids by field, for the fields whose rule is broken. */
export function broken(
  checks: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string>> | null {
  const found = Object.entries(checks).filter((entry): entry is [string, string] => entry[1] !== null)
  return found.length === 0 ? null : Object.fromEntries(found)
}

interface FormOptions<Values, Answer> {
  initial: Values
  /** Message ids of broken rules by field. */
  check(values: Values): Readonly<Record<string, string | null>>
  send(values: Values): Promise<Answer>
  onDone(answer: Answer): void | Promise<void>
}

/** What a field of a form needs; `error` is in the user's language. */
export interface Field<Value> {
  value: Value
  error: string | undefined
  onChange(value: Value): void
}

/** The state of a whole form, for `Form`. */
interface FormState {
  /** The error of the whole form. */
  failed: unknown
  busy: boolean
  submit(event: React.FormEvent<HTMLFormElement>): void
}

/** The fields whose value was wrong, by the code of the refusal. */
const REFUSED_FIELDS: Readonly<Record<string, string>> = {
  'wrong-password': 'password',
  'wrong-old-password': 'oldPassword',
  'wrong-code': 'captcha',
}

/** The first invalid field gets the focus, once it is marked. */
const focusInvalid = (form: HTMLFormElement | null): void => {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
}

/** A form: its rules are checked on submit, then the server's errors are shown at their fields. */
export function useForm<Values extends object, Answer>({
  initial,
  check,
  send,
  onDone,
}: FormOptions<Values, Answer>) {
  const intl = useIntl()
  const [values, setValues] = useState(initial)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const errorText = useErrorText()
  const element = useRef<HTMLFormElement>(null)
  const sending = useMutation({ mutationFn: send, onSuccess: onDone })
  const { error } = sending
  useEffect(() => {
    if (error !== null) focusInvalid(element.current)
  }, [error])
  const refused: Record<string, string> = { ...fieldErrors(sending.error) }
  const wrongField = sending.error === null ? undefined : REFUSED_FIELDS[asFurlongError(sending.error).code]
  if (wrongField !== undefined && wrongField in initial) refused[wrongField] ??= errorText(sending.error)
  const set = <Key extends keyof Values>(key: Key, value: Values[Key]): void => {
    setValues((before) => ({ ...before, [key]: value }))
    setWrong((before) => Object.fromEntries(Object.entries(before).filter(([field]) => field !== key)))
  }
  return {
    values,
    set,
    field: <Key extends keyof Values & string>(key: Key): Field<Values[Key]> => ({
      value: values[key],
      error: wrong[key] === undefined ? refused[key] : intl.formatMessage({ id: wrong[key] }),
      onChange: (value) => set(key, value),
    }),
    form: {
      failed: Object.keys(refused).length > 0 ? null : sending.error,
      busy: sending.isPending,
      submit: (event: React.FormEvent<HTMLFormElement>): void => {
        event.preventDefault()
        element.current = event.currentTarget
        if (sending.isPending) return
        const found = broken(check(values))
        setWrong(found ?? {})
        if (found) focusInvalid(element.current)
        else sending.mutate(values)
      },
    },
  }
}

interface FormProps extends FormState {
  /** Message id of what the button does. */
  label: string
  values?: Readonly<Record<string, string>>
  primary?: boolean
  disabled?: boolean
  /** The fields. */
  children: ReactNode
  /** What stands below the button. */
  below?: ReactNode
}

/** The fields of a form; at its end why it was refused, and the button that sends it. */
export function Form(props: FormProps) {
  const { failed, busy, submit, label, values, primary = true, disabled = false, children, below } = props
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {children}
      {failed ? <ErrorNotice error={failed} /> : null}
      <Button primary={primary} type="submit" className={styles.submit} busy={busy} disabled={disabled}>
        {busy ? (
          <FormattedMessage id="form.sending" />
        ) : (
          <FormattedMessage id={label} {...(values && { values })} />
        )}
      </Button>
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

/** A verification code with the button that sends one; it can be sent again after the time given by the server. */
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
        <Button onClick={request} busy={left > 0 || sending.isPending}>
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

/** How an account's owner proves their identity. */
export interface Proof {
  by: 'password' | 'captcha'
  password: string
  captcha: string
}

export const NO_PROOF: Proof = { by: 'password', password: '', captcha: '' }

/** Message ids of broken rules. */
export const checkProof = ({ by, password, captcha }: Proof): Record<string, string | null> =>
  by === 'password' ? { password: RULES.needed(password) } : { captcha: RULES.captcha(captcha) }

/** The fields of a proof in a request body. */
export const proofBody = ({ by, password, captcha }: Proof): { password: string } | { captcha: string } =>
  by === 'password' ? { password } : { captcha }

/** Asks for the password, or for a code that is sent to the account's phone. */
export function ProofFields({ field }: { field<Key extends keyof Proof>(key: Key): Field<Proof[Key]> }) {
  const intl = useIntl()
  const account = useSession()
  const by = field('by')
  return (
    <>
      <OneOf
        legend={intl.formatMessage({ id: 'proof.legend' })}
        value={by.value}
        choices={(['password', 'captcha'] as const).map((value) => ({
          value,
          label: intl.formatMessage({ id: `proof.${value}` }),
        }))}
        onChange={(value) => by.onChange(value as Proof['by'])}
      />
      {by.value === 'password' ? (
        <PasswordField
          label={<FormattedMessage id="form.password" />}
          autoComplete="current-password"
          data-first-focus=""
          {...field('password')}
        />
      ) : (
        <CodeField mobile={account.data?.phone ?? ''} purpose="login" {...field('captcha')} />
      )}
    </>
  )
}
