import { useCallback } from 'react'
import { useIntl } from 'react-intl'

export type Word = (id: string, values?: Readonly<Record<string, string | number>>) => string

/** Messages as text, by id; the same function until the language changes. */
export function useWord(): Word {
  const intl = useIntl()
  return useCallback((id, values) => intl.formatMessage({ id }, values), [intl])
}
