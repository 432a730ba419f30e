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

interface Form<Values> {
  values: Values
  set<Key extends keyof Values>(key: Key, value: Values[Key]): void
  /** The error of a field, in the user's language. */
  error(key: keyof Values & string): string | undefined
  /** The error of the whole form. */
  failed: unknown
  busy: boolean
  submit(event: React.FormEvent): void
}

/** A form: its rules are checked on submit, then the server's errors are shown at their fields. */
export function useForm<Values extends object, Answer>({
  initial,
  check,
  send,
  onDone,
}: FormOptions<Values, Answer>): Form<Values> {
  const intl = useIntl()
  const [values, setValues] = useState(initial)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const sending = useMutation({ mutationFn: send, onSuccess: onDone })
  const refused = fieldErrors(sending.error)
  return {
    values,
    set: (key, value) => {
      setValues((before) => ({ ...before, [key]: value }))
      setWrong((before) => Object.fromEntries(Object.entries(before).filter(([field]) => field !== key)))
    },
    error: (key) => {
      const rule = wrong[key]
      return rule === undefined ? refused[key] : intl.formatMessage({ id: rule })
    },
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
  }
}
