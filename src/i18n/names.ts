import type { Language } from './language.ts'

export interface LocalName {
  text: string
  /** Whether another language's name is shown because the user's language has none. */
  fallback: boolean
  /** Language of the name. */
  language: Language
}

/** Marks for names in another language: the sign of that language. */
export const SIGNS: Readonly<Record<Language, string>> = { en: 'EN', 'zh-Hant': '繁', 'zh-Hans': '简' }

const LANGUAGE_OF = { en: 'en', hant: 'zh-Hant', hans: 'zh-Hans' } as const

const ORDER: Readonly<Record<Language, readonly ('en' | 'hant' | 'hans')[]>> = {
  en: ['en', 'hant', 'hans'],
  'zh-Hant': ['hant', 'hans', 'en'],
  'zh-Hans': ['hans', 'hant', 'en'],
}

/** The name to show, from columns such as `name_en`; `null` if no language has one. */
export function localName(language: Language, row: object, prefix = 'name'): LocalName | null {
  const columns = row as Readonly<Record<string, unknown>>
  for (const [index, suffix] of ORDER[language].entries()) {
    const text = columns[`${prefix}_${suffix}`]
    if (typeof text === 'string' && text !== '')
      return { text, fallback: index > 0, language: LANGUAGE_OF[suffix] }
  }
  return null
}
