import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { IntlProvider } from 'react-intl'
import { initialLanguage, loadMessages, rememberLanguage, type Language, type Messages } from './language.ts'

interface LanguageChoice {
  language: Language
  choose(language: Language): void
}

const LanguageContext = createContext<LanguageChoice | null>(null)

export function useLanguage(): LanguageChoice {
  const choice = use(LanguageContext)
  if (!choice) throw new Error('no LanguageProvider above')
  return choice
}

interface Loaded {
  language: Language
  messages: Messages
}

/** Gives the texts of the chosen language; while another one loads, the present one stays. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [loaded, setLoaded] = useState<Loaded | null>(null)

  const show = useCallback((language: Language) => {
    void loadMessages(language).then((messages) => {
      document.documentElement.lang = language
      setLoaded({ language, messages })
      globalThis.dispatchEvent(new CustomEvent('languageChanged', { detail: language }))
    })
  }, [])

  const choose = useCallback(
    (language: Language) => {
      rememberLanguage(language)
      show(language)
    },
    [show],
  )

  useEffect(() => show(initialLanguage()), [show])
  const language = loaded?.language
  const choice = useMemo(() => (language ? { language, choose } : null), [language, choose])
  if (!loaded || !choice) return null
  return (
    <LanguageContext value={choice}>
      <IntlProvider locale={loaded.language} messages={loaded.messages} onError={failOnMissing}>
        {children}
      </IntlProvider>
    </LanguageContext>
  )
}

/** A text without a message is a defect that the console check of the browser tests must see. */
function failOnMissing(error: Error): void {
  // eslint-disable-next-line no-console
  console.error(error.message)
}
