import { useQuery } from '@tanstack/react-query'
import { use, useMemo, type ReactNode } from 'react'
import { IntlProvider, useIntl } from 'react-intl'
import { CurrencyContext, inCurrency } from './currency.ts'
import type { ExtraPart } from './extra-parts.ts'
import { loadedMessages, loadExtraMessages } from './language.ts'
import type { Messages } from './likely-language.ts'
import { useLanguage } from './language-provider.tsx'
import { keyOf } from '../data/client/call.ts'

interface ExtraTextsProps {
  part: ExtraPart
  /** Shown while the messages load. */
  waiting: ReactNode
  children: ReactNode
}

/**
 * Adds messages that are a separate chunk; if they cannot be loaded, the route's error boundary handles it.
 */
export function ExtraTexts({ part, waiting, children }: ExtraTextsProps) {
  const { language } = useLanguage()
  const { messages } = useIntl()
  const texts = useQuery({
    queryKey: keyOf('extra-texts', part, language),
    queryFn: () => loadExtraMessages(part, language),
    // Signing out clears the query cache; a screen must not lose its messages, and its state with them.
    initialData: () => loadedMessages(part, language),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })
  const currency = use(CurrencyContext)
  const { data } = texts
  const added = useMemo(() => data && inCurrency(data, currency), [data, currency])
  if (texts.error) throw texts.error
  if (!added) return waiting
  return (
    <IntlProvider locale={language} messages={{ ...(messages as Messages), ...added }}>
      {children}
    </IntlProvider>
  )
}
