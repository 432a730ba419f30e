import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { IntlProvider, useIntl } from 'react-intl'
import { loadCardMessages, type Messages } from './language.ts'
import { useLanguage } from './language-provider.tsx'
import { keyOf } from '../data/keys.ts'

interface CardTextsProps {
  /** Shown while they come. */
  waiting: ReactNode
  children: ReactNode
}

/** Adds the texts of the model card, which come as a chunk of their own; one that cannot come is the route's error. */
export function CardTexts({ waiting, children }: CardTextsProps) {
  const { language } = useLanguage()
  const { messages } = useIntl()
  const texts = useQuery({
    queryKey: keyOf('card-texts', language),
    queryFn: () => loadCardMessages(language),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
    networkMode: 'always',
  })
  if (texts.error) throw texts.error
  if (!texts.data) return waiting
  return (
    <IntlProvider locale={language} messages={{ ...(messages as Messages), ...texts.data }}>
      {children}
    </IntlProvider>
  )
}
