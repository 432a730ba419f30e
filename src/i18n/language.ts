import type { MessageFormatElement } from 'react-intl'
import {
  browserLanguage,
  CHOICE_KEY,
  isLanguage,
  KEY,
  storedLanguage,
  type Language,
} from './likely-language.ts'

export { LANGUAGES, storedLanguage, type Language } from './likely-language.ts'

/** Each language's own name, the same in every language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  'zh-Hant': '繁體中文',
  'zh-Hans': '简体中文',
}

/** Maximum wait for the server's location before the first messages are shown. */
const LOCATION_MS = 800

export type Messages = Record<string, MessageFormatElement[]>

const LOADERS: Readonly<Record<Language, () => Promise<{ default: Messages }>>> = {
  en: () => import('virtual:messages/en'),
  'zh-Hant': () => import('virtual:messages/zh-Hant'),
  'zh-Hans': () => import('virtual:messages/zh-Hans'),
}

/** Messages that only some screens need. */
export type ExtraPart =
  | 'account'
  | 'card'
  | 'chances'
  | 'console'
  | 'help'
  | 'lab'
  | 'notes'
  | 'own'
  | 'palette'
  | 'promotion'
  | 'results'
  | 'workspace'

const EXTRA_LOADERS: Readonly<Record<ExtraPart, typeof LOADERS>> = {
  account: {
    en: () => import('virtual:messages/en-account'),
    'zh-Hant': () => import('virtual:messages/zh-Hant-account'),
    'zh-Hans': () => import('virtual:messages/zh-Hans-account'),
  },
  promotion: {
    en: () => import('virtual:messages/en-promotion'),
    'zh-Hant': () => import('virtual:messages/zh-Hant-promotion'),
    'zh-Hans': () => import('virtual:messages/zh-Hans-promotion'),
  },
  card: {
    en: () => import('virtual:messages/en-card'),
    'zh-Hant': () => import('virtual:messages/zh-Hant-card'),
    'zh-Hans': () => import('virtual:messages/zh-Hans-card'),
  },
  chances: {
    en: () => import('virtual:messages/en-chances'),
    'zh-Hant': () => import('virtual:messages/zh-Hant-chances'),
    'zh-Hans': () => import('virtual:messages/zh-Hans-chances'),
  },
  console: {
    en: () => import('virtual:messages/en-console'),
    'zh-Hant': () => import('virtual:messages/zh-Hant-console'),
    'zh-Hans': () => import('virtual:messages/zh-Hans-console'),
  },
  help: {
    en: () => import('virtual:messages/en-help'),
    'zh-Hant': () => import('virtual:messages/zh-Hant-help'),
    'zh-Hans': () => import('virtual:messages/zh-Hans-help'),
  },
  lab: {
    en: () => import('virtual:messages/en-lab'),
    'zh-Hant': () => import('virtual:messages/zh-Hant-lab'),
    'zh-Hans': () => import('virtual:messages/zh-Hans-lab'),
  },
  notes: {
    en: () => import('virtual:messages/en-notes'),
    'zh-Hant': () => import('virtual:messages/zh-Hant-notes'),
    'zh-Hans': () => import('virtual:messages/zh-Hans-notes'),
  },
  own: {
    en: () => import('virtual:messages/en-own'),
    'zh-Hant': () => import('virtual:messages/zh-Hant-own'),
    'zh-Hans': () => import('virtual:messages/zh-Hans-own'),
  },
  palette: {
    en: () => import('virtual:messages/en-palette'),
    'zh-Hant': () => import('virtual:messages/zh-Hant-palette'),
    'zh-Hans': () => import('virtual:messages/zh-Hans-palette'),
  },
  results: {
    en: () => import('virtual:messages/en-results'),
    'zh-Hant': () => import('virtual:messages/zh-Hant-results'),
    'zh-Hans': () => import('virtual:messages/zh-Hans-results'),
  },
  workspace: {
    en: () => import('virtual:messages/en-workspace'),
    'zh-Hant': () => import('virtual:messages/zh-Hant-workspace'),
    'zh-Hans': () => import('virtual:messages/zh-Hans-workspace'),
  },
}

/** Messages of a part. Rejects if there is no connection and they were never loaded. */
export async function loadExtraMessages(part: ExtraPart, language: Language): Promise<Messages> {
  const { default: messages } = await EXTRA_LOADERS[part][language]()
  loaded.set(`${part} ${language}`, messages)
  return messages
}

const loaded = new Map<string, Messages>()

/** Messages of a part that are already loaded. */
export const loadedMessages = (part: ExtraPart, language: Language): Messages | undefined =>
  loaded.get(`${part} ${language}`)

interface Located {
  country: string | null
  language: Language
}

/**
 * The language last shown, otherwise that of the country of the IP address, as determined by the server; if
 * the server does not respond in time, the browser's, and finally English.
 */
async function initialLanguage(locate: () => Promise<Located>): Promise<Language> {
  const stored = storedLanguage()
  if (stored !== null) {
    void LOADERS[stored]().catch(() => null)
    return stored
  }
  // The likely messages load while the server is queried.
  const likely = browserLanguage()
  void LOADERS[likely]().catch(() => null)
  // The first call of ICU is slow, so it is made while waiting for the network.
  setTimeout(() => Intl.NumberFormat.supportedLocalesOf(likely), 0)
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), LOCATION_MS))
  const located = await Promise.race([locate().catch(() => null), late])
  return located?.country ? located.language : browserLanguage()
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(KEY, language)
}

/** Stores the language as the user's own choice. */
export function rememberChoice(language: Language): void {
  rememberLanguage(language)
  localStorage.setItem(CHOICE_KEY, language)
}

export const hasChosenLanguage = (): boolean => isLanguage(localStorage.getItem(CHOICE_KEY))

export async function loadMessages(language: Language): Promise<Messages> {
  return (await LOADERS[language]()).default
}

export interface Loaded {
  language: Language
  messages: Messages
}

/** The initial language and its messages; `null` if they could not be loaded. */
export async function firstTexts(locate: () => Promise<Located>): Promise<Loaded | null> {
  const language = await initialLanguage(locate)
  return loadMessages(language).then(
    (messages) => ({ language, messages }),
    () => null,
  )
}

/** The suffix of name columns in data (`name_hant`). */
export const nameSuffix = (language: Language): 'en' | 'hant' | 'hans' =>
  ({ en: 'en', 'zh-Hant': 'hant', 'zh-Hans': 'hans' })[language] as 'en' | 'hant' | 'hans'
