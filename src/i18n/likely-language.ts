export const LANGUAGES = ['en', 'zh-Hant', 'zh-Hans'] as const
export type Language = (typeof LANGUAGES)[number]

/** The language currently shown, however it was selected. */
export const KEY = 'user_selected_language'
/** The user's own choice, which neither the region nor the IP address overrides. */
export const CHOICE_KEY = 'userLocale'
export const isLanguage = (value: string | null): value is Language =>
  LANGUAGES.some((language) => language === value)

/** The language last shown; `null` if none has been on this device. */
export function storedLanguage(): Language | null {
  for (const key of [CHOICE_KEY, KEY]) {
    const stored = localStorage.getItem(key)
    if (isLanguage(stored)) return stored
  }
  return null
}

/** The browser's most preferred language that the product has. */
export function browserLanguage(): Language {
  for (const tag of navigator.languages) {
    if (/^en\b/i.test(tag)) return 'en'
    if (/^zh\b/i.test(tag)) return /hant|tw|hk|mo/i.test(tag) ? 'zh-Hant' : 'zh-Hans'
  }
  return 'en'
}
