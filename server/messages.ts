import { readFileSync } from 'node:fs'
import { createIntl, createIntlCache, type IntlShape } from '@formatjs/intl'
import type { FurlongError } from '../domain/errors.ts'

export const LANGUAGES = ['en', 'zh-Hant', 'zh-Hans'] as const
export type Language = (typeof LANGUAGES)[number]

const cache = createIntlCache()

function load(language: Language): IntlShape {
  const path = new URL(`../locales/${language}/errors.json`, import.meta.url)
  const messages = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  return createIntl({ locale: language, messages }, cache)
}

const INTL = new Map(LANGUAGES.map((language) => [language, load(language)]))

/** An error's message in a language. */
export function errorMessage(
  language: Language,
  { code, details }: Pick<FurlongError, 'code' | 'details'>,
): string {
  return INTL.get(language)!.formatMessage({ id: `error.${code}` }, { ...details })
}

/** The first language of an `Accept-Language` header that the product has; English without one. */
export function languageOf(header: string | undefined): Language {
  for (const range of (header ?? '').split(',')) {
    const tag = range.split(';')[0]!.trim().toLowerCase()
    if (tag.startsWith('zh')) return /hant|tw|hk|mo/.test(tag) ? 'zh-Hant' : 'zh-Hans'
    if (tag.startsWith('en')) return 'en'
  }
  return 'en'
}
