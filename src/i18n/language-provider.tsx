import { createContext, startTransition, use, useCallback, useMemo, useState, type ReactNode } from 'react'
import { IntlProvider } from 'react-intl'
import {
  hasChosenLanguage,
  loadMessages,
  rememberChoice,
  rememberLanguage,
  type Language,
  type Loaded,
} from './language.ts'

interface LanguageChoice {
  language: Language
  /** The reader's own choice; answers whether its texts could be loaded. */
  choose(language: Language): Promise<boolean>
  /** The language that the region suggests; ignored once the reader has chosen one. */
  suggest(language: Language): void
}

const LanguageContext = createContext<LanguageChoice | null>(null)

export function useLanguage(): LanguageChoice {
  const choice = use(LanguageContext)
  if (!choice) throw new Error('no LanguageProvider above')
  return choice
}

interface LanguageProviderProps {
  /** The texts to begin with; `null`: none could be had. */
  first: Loaded | null
  children: ReactNode
}

/** Gives the texts of the chosen language; while another one loads, the present one stays. */
export function LanguageProvider({ first, children }: LanguageProviderProps) {
  const [loaded, setLoaded] = useState(first)

  const show = useCallback(async (language: Language): Promise<boolean> => {
    try {
      const messages = await loadMessages(language)
      document.documentElement.lang = language
      // The screen is built anew in slices: the page answers meanwhile.
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
  const choice = useMemo(() => (language ? { language, choose, suggest } : null), [language, choose, suggest])
  if (!loaded || !choice) return <NoTexts />
  return (
    <LanguageContext value={choice}>
      <IntlProvider locale={loaded.language} messages={loaded.messages} onError={failOnMissing}>
        {children}
      </IntlProvider>
    </LanguageContext>
  )
}

/** No language's texts came: said in all three, for none could be asked for. */
function NoTexts() {
  return (
    <p role="alert" style={{ padding: '2rem', textAlign: 'center' }}>
      {NO_TEXTS}{' '}
      <button type="button" onClick={() => globalThis.location.reload()}>
        {AGAIN}
      </button>
    </p>
  )
}

const NO_TEXTS = 'Furlong could not be loaded. · 未能載入 Furlong。 · 无法加载 Furlong。'
const AGAIN = '↻'

/** A text without a message is a defect that the console check of the browser tests must see. */
function failOnMissing(error: Error): void {
  // eslint-disable-next-line no-console
  console.error(error.message)
}
