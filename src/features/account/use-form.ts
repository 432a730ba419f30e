import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { fieldErrors } from '../../data/client/errors.ts'
import { broken } from './rules.ts'

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
export interface FormState {
  /** The error of the whole form. */
  failed: unknown
  busy: boolean
  submit(event: React.FormEvent): void
}

interface FormOf<Values> {
  values: Values
  set<Key extends keyof Values>(key: Key, value: Values[Key]): void
  field<Key extends keyof Values & string>(key: Key): Field<Values[Key]>
  form: FormState
}

/** A form: its rules are checked on submit, then the server's errors are shown at their fields. */
export function useForm<Values extends object, Answer>({
  initial,
  check,
  send,
  onDone,
}: FormOptions<Values, Answer>): FormOf<Values> {
  const intl = useIntl()
  const [values, setValues] = useState(initial)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const sending = useMutation({ mutationFn: send, onSuccess: onDone })
  const refused = fieldErrors(sending.error)
  const set: FormOf<Values>['set'] = (key, value) => {
    setValues((before) => ({ ...before, [key]: value }))
    setWrong((before) => Object.fromEntries(Object.entries(before).filter(([field]) => field !== key)))
  }
  return {
    values,
    set,
    field: (key) => ({
      value: values[key],
      error: wrong[key] === undefined ? refused[key] : intl.formatMessage({ id: wrong[key] }),
      onChange: (value) => set(key, value),
    }),
    form: {
      failed: Object.keys(refused).length > 0 ? null : sending.error,
      busy: sending.isPending,
      submit: (event) => {
        event.preventDefault()
        if (sending.isPending) return
        const found = broken(check(values))
        setWrong(found ?? {})
        if (found) {
          // The first invalid field gets the focus, once it is marked.
          const element = event.currentTarget
          requestAnimationFrame(() => element.querySelector<HTMLElement>('[aria-invalid]')?.focus())
          return
        }
        sending.mutate(values)
      },
    },
  }
}
