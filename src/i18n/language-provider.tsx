import {
  createContext,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from 'react'
import { IntlProvider } from 'react-intl'
import {
  hasChosenLanguage,
  initialLanguage,
  loadMessages,
  rememberChoice,
  rememberLanguage,
  type Language,
  type Messages,
} from './language.ts'

interface LanguageChoice {
  language: Language
  /** The reader's own choice. */
  choose(language: Language): void
  /** What his region suggests: taken unless he chose one himself. */
  suggest(language: Language): void
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

interface LanguageProviderProps {
  /** The country of the reader's address and its language. */
  locate: () => Promise<{ country: string | null; language: Language }>
  children: ReactNode
}

/** Gives the texts of the chosen language; while another one loads, the present one stays. */
export function LanguageProvider({ locate, children }: LanguageProviderProps) {
  const [loaded, setLoaded] = useState<Loaded | null>(null)

  const show = useCallback((language: Language) => {
    void loadMessages(language).then((messages) => {
      document.documentElement.lang = language
      // The first screen is built in slices: the page answers meanwhile.
      startTransition(() => setLoaded({ language, messages }))
      globalThis.dispatchEvent(new CustomEvent('languageChanged', { detail: language }))
    })
  }, [])

  const choose = useCallback(
    (language: Language) => {
      rememberChoice(language)
      show(language)
    },
    [show],
  )
  const suggest = useCallback(
    (language: Language) => {
      if (hasChosenLanguage()) return
      rememberLanguage(language)
      show(language)
    },
    [show],
  )

  useEffect(() => void initialLanguage(locate).then(show), [locate, show])
  const language = loaded?.language
  const choice = useMemo(() => (language ? { language, choose, suggest } : null), [language, choose, suggest])
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
