import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { IntlProvider, useIntl } from 'react-intl'
import { loadedMessages, loadExtraMessages, type ExtraPart, type Messages } from './language.ts'
import { useLanguage } from './language-provider.tsx'
import { keyOf } from '../data/keys.ts'

/** Asks for the texts of a part; a screen may do so before it has anything to show. */
export function useExtraTexts(part: ExtraPart): UseQueryResult<Messages> {
  const { language } = useLanguage()
  return useQuery({
    queryKey: keyOf('extra-texts', part, language),
    queryFn: () => loadExtraMessages(part, language),
    // Signing out empties the cache of answers; a screen must not lose its texts, and with them its state.
    initialData: () => loadedMessages(part, language),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })
}

interface ExtraTextsProps {
  part: ExtraPart
  /** Shown while they come. */
  waiting: ReactNode
  children: ReactNode
}

/** Adds texts that come as a chunk of their own; ones that cannot come are the route's error. */
export function ExtraTexts({ part, waiting, children }: ExtraTextsProps) {
  const { language } = useLanguage()
  const { messages } = useIntl()
  const texts = useExtraTexts(part)
  if (texts.error) throw texts.error
  if (!texts.data) return waiting
  return (
    <IntlProvider locale={language} messages={{ ...(messages as Messages), ...texts.data }}>
      {children}
    </IntlProvider>
  )
}
