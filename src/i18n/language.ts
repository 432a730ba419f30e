import type { MessageFormatElement } from 'react-intl'

export const LANGUAGES = ['en', 'zh-Hant', 'zh-Hans'] as const
export type Language = (typeof LANGUAGES)[number]

/** Each language's own name, the same in every language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  'zh-Hant': '繁體中文',
  'zh-Hans': '简体中文',
}

const KEY = 'user_selected_language'

const isLanguage = (value: string | null): value is Language =>
  LANGUAGES.some((language) => language === value)

/** The language chosen before, else the first that the browser asks for and the product has. */
export function initialLanguage(): Language {
  const chosen = localStorage.getItem(KEY)
  if (isLanguage(chosen)) return chosen
  for (const tag of navigator.languages) {
    if (/^en\b/i.test(tag)) return 'en'
    if (/^zh\b/i.test(tag)) return /hant|tw|hk|mo/i.test(tag) ? 'zh-Hant' : 'zh-Hans'
  }
  return 'en'
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(KEY, language)
}

export type Messages = Record<string, MessageFormatElement[]>

const LOADERS: Readonly<Record<Language, () => Promise<{ default: Messages }>>> = {
  en: () => import('virtual:messages/en'),
  'zh-Hant': () => import('virtual:messages/zh-Hant'),
  'zh-Hans': () => import('virtual:messages/zh-Hans'),
}

export async function loadMessages(language: Language): Promise<Messages> {
  return (await LOADERS[language]()).default
}

/** The suffix of name columns in data (`name_hant`). */
export const nameSuffix = (language: Language): 'en' | 'hant' | 'hans' =>
  ({ en: 'en', 'zh-Hant': 'hant', 'zh-Hans': 'hans' })[language] as 'en' | 'hant' | 'hans'
