import parts from 'virtual:message-parts'
import shared from 'virtual:shared-messages'
import { isLanguage, type Language } from '../../domain/languages.ts'
import type { ExtraPart } from './extra-parts.ts'
import { browserLanguage, CHOICE_KEY, KEY, storedLanguage, type Messages } from './likely-language.ts'
import { onDevice } from '../storage/stored-text.ts'

/** Maximum wait for the server's location before the first messages are shown. */
const LOCATION_MS = 800

/** Messages that every screen needs. Rejects if they could not be loaded. */
export const loadMessages = (language: Language): Promise<Messages> =>
  shared[language]().then((file) => file.default)

/** Messages of a part. Rejects if there is no connection and they were never loaded. */
export async function loadExtraMessages(part: ExtraPart, language: Language): Promise<Messages> {
  const { default: messages } = await parts[`${language}/${part}`]!()
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
    void loadMessages(stored).catch(() => null)
    return stored
  }
  // The likely messages load while the server is queried.
  const likely = browserLanguage()
  void loadMessages(likely).catch(() => null)
  // The first call of ICU is slow, so it is made while waiting for the network.
  setTimeout(() => Intl.NumberFormat.supportedLocalesOf(likely), 0)
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), LOCATION_MS))
  const located = await Promise.race([locate().catch(() => null), late])
  return located?.country ? located.language : browserLanguage()
}

export function rememberLanguage(language: Language): void {
  onDevice.write(KEY, language)
}

/** Stores the language as the user's own choice. */
export function rememberChoice(language: Language): void {
  rememberLanguage(language)
  onDevice.write(CHOICE_KEY, language)
}

export const hasChosenLanguage = (): boolean => isLanguage(onDevice.read(CHOICE_KEY))

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
