import { createContext, startTransition, use, useCallback, useMemo, useState, type ReactNode } from 'react'
import { IntlProvider } from 'react-intl'
import { LANGUAGE_RULES, type Language } from '../../domain/languages.ts'
import { hasChosenLanguage, loadMessages, rememberChoice, rememberLanguage, type Loaded } from './language.ts'
import { BETWEEN_FACTS } from './between-facts.ts'
import { CurrencyContext, inCurrency, useShownCurrency } from './currency.ts'

interface LanguageChoice {
  language: Language
  /** The user's own choice; resolves to whether its messages could be loaded. */
  choose(language: Language): Promise<boolean>
  /** The language that the region suggests; ignored once the user has chosen one. */
  suggest(language: Language): void
}

const LanguageContext = createContext<LanguageChoice | null>(null)

export function useLanguage(): LanguageChoice {
  const choice = use(LanguageContext)
  if (!choice) throw new Error('no LanguageProvider above')
  return choice
}

interface LanguageProviderProps {
  /** The initial messages; `null` if they could not be loaded. */
  first: Loaded | null
  children: ReactNode
}

/** Provides the messages of the chosen language; while another one loads, the current one stays. */
export function LanguageProvider({ first, children }: LanguageProviderProps) {
  const [loaded, setLoaded] = useState(first)

  const show = useCallback(async (language: Language): Promise<boolean> => {
    try {
      const messages = await loadMessages(language)
      document.documentElement.lang = language
      // The screen re-renders in slices, so that the page stays responsive.
      startTransition(() => setLoaded({ language, messages }))
      globalThis.dispatchEvent(new CustomEvent('languageChanged', { detail: language }))
      return true
    } catch {
      return false
    }
  }, [])

  const choose = useCallback(
    async (language: Language) => {
      const shown = await show(language)
      if (shown) rememberChoice(language)
      return shown
    },
    [show],
  )
  const suggest = useCallback(
    (language: Language) => {
      if (hasChosenLanguage()) return
      void show(language).then((shown) => {
        if (shown) rememberLanguage(language)
      })
    },
    [show],
  )

  const language = loaded?.language
  const currency = useShownCurrency()
  const messages = useMemo(() => loaded && inCurrency(loaded.messages, currency), [loaded, currency])
  const choice = useMemo(() => (language ? { language, choose, suggest } : null), [language, choose, suggest])
  if (!loaded || !choice || !messages) return <NoTexts />
  return (
    <LanguageContext value={choice}>
      <CurrencyContext value={currency}>
        <IntlProvider locale={loaded.language} messages={messages} onError={failOnMissing}>
          {children}
        </IntlProvider>
      </CurrencyContext>
    </LanguageContext>
  )
}

/** Shown in every language if no messages could be loaded. */
const NoTexts = () => (
  <p role="alert" style={{ padding: '2rem', textAlign: 'center' }}>
    {NO_TEXTS}{' '}
    <button type="button" onClick={() => globalThis.location.reload()}>
      {AGAIN}
    </button>
  </p>
)

const NO_TEXTS = LANGUAGE_RULES.map(({ notLoaded }) => notLoaded).join(BETWEEN_FACTS)
const AGAIN = '↻'

/** A missing message is a defect that the console check of the browser tests must detect. */
function failOnMissing(error: Error): void {
  // eslint-disable-next-line no-console
  console.error(error.message)
}
