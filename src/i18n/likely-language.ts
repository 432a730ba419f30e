import type { MessageFormatElement } from 'react-intl'
import { isLanguage, languageOfTags, type Language } from '../../domain/languages.ts'
import { onDevice } from '../storage/stored-text.ts'

/** The language currently shown, however it was selected. */
export const KEY = 'user_selected_language'
/** The user's own choice, which neither the region nor the IP address overrides. */
export const CHOICE_KEY = 'userLocale'

/** The language last shown; `null` if none has been on this device. */
export function storedLanguage(): Language | null {
  for (const key of [CHOICE_KEY, KEY]) {
    const stored = onDevice.read(key)
    if (isLanguage(stored)) return stored
  }
  return null
}

/** The browser's most preferred language that the product has. */
export const browserLanguage = (): Language => languageOfTags(navigator.languages)

export type Messages = Record<string, MessageFormatElement[]>
