import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { fieldErrors } from '../../data/errors.ts'
import { broken } from './rules.ts'

interface FormOptions<Values, Answer> {
  initial: Values
  /** Keys of messages of broken rules by field. */
  check(values: Values): Readonly<Record<string, string | null>>
  send(values: Values): Promise<Answer>
  onDone(answer: Answer): void | Promise<void>
}

interface Form<Values> {
  values: Values
  set<Key extends keyof Values>(key: Key, value: Values[Key]): void
  /** What is wrong with a field, in the reader’s language. */
  error(key: keyof Values & string): string | undefined
  /** What is wrong with the whole. */
  failed: unknown
  busy: boolean
  submit(event: React.FormEvent): void
}

/** A form: rules are checked on sending, then what the server says of each field is told there. */
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
  const told = fieldErrors(sending.error)
  return {
    values,
    set: (key, value) => {
      setValues((before) => ({ ...before, [key]: value }))
      setWrong((before) => Object.fromEntries(Object.entries(before).filter(([field]) => field !== key)))
    },
    error: (key) => {
      const rule = wrong[key]
      return rule === undefined ? told[key] : intl.formatMessage({ id: rule })
    },
    failed: Object.keys(told).length > 0 ? null : sending.error,
    busy: sending.isPending,
    submit: (event) => {
      event.preventDefault()
      if (sending.isPending) return
      const found = broken(check(values))
      setWrong(found ?? {})
      if (found) {
        // The first field that is wrong gets the focus, once it is marked.
        const element = event.currentTarget
        requestAnimationFrame(() => element.querySelector<HTMLElement>('[aria-invalid]')?.focus())
        return
      }
      sending.mutate(values)
    },
  }
}
