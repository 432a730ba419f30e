export const LANGUAGES = ['en', 'zh-Hant', 'zh-Hans'] as const
export type Language = (typeof LANGUAGES)[number]

/** What is shown now, however it came about. */
export const KEY = 'user_selected_language'
/** The reader's own choice, which neither the region nor the IP address overrides. */
export const CHOICE_KEY = 'userLocale'
export const isLanguage = (value: string | null): value is Language =>
  LANGUAGES.some((language) => language === value)

/** The language that was shown last; `null` on a device that has shown none. */
export function storedLanguage(): Language | null {
  for (const key of [CHOICE_KEY, KEY]) {
    const stored = localStorage.getItem(key)
    if (isLanguage(stored)) return stored
  }
  return null
}

/** The first language that the browser asks for and the product has. */
export function browserLanguage(): Language {
  for (const tag of navigator.languages) {
    if (/^en\b/i.test(tag)) return 'en'
    if (/^zh\b/i.test(tag)) return /hant|tw|hk|mo/i.test(tag) ? 'zh-Hant' : 'zh-Hans'
  }
  return 'en'
}
