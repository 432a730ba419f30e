import { useMemo, type ReactNode } from 'react'
import { IntlProvider, useIntl } from 'react-intl'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useOwnSlots } from '../../data/analytics/own-rows.ts'

/** A message that is a name as it is, whatever characters it has. */
const asText = (value: string) => [{ type: 0 as const, value }]

/** Below it the dimensions of the user's own columns have the names that the file gives them. */
export function OwnNames({ children }: { children: ReactNode }) {
  const { locale, messages, onError } = useIntl()
  const { regionId } = useScope()
  const own = useOwnSlots(regionId)
  const named = useMemo(() => {
    const names = (own?.slots ?? []).map(({ slot, name }) => [`dimension.${slot}`, asText(name)] as const)
    return { ...messages, ...Object.fromEntries(names) } as typeof messages
  }, [messages, own])
  return (
    <IntlProvider locale={locale} messages={named} onError={onError}>
      {children}
    </IntlProvider>
  )
}
