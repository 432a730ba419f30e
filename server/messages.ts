import { readFileSync } from 'node:fs'
import { createIntl, createIntlCache, type IntlShape } from '@formatjs/intl'
import type { FurlongError } from '../domain/errors.ts'

export const LANGUAGES = ['en', 'zh-Hant', 'zh-Hans'] as const
export type Language = (typeof LANGUAGES)[number]

const cache = createIntlCache()

function load(language: Language): IntlShape {
  const messages = Object.assign(
    {},
    ...['errors', 'fields', 'server'].map((file) => {
      const path = new URL(`../locales/${language}/${file}.json`, import.meta.url)
      return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
    }),
  ) as Record<string, string>
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

/** A text of the server's own, such as a verification code's. */
export function serverMessage(
  language: Language,
  id: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return INTL.get(language)!.formatMessage({ id }, { ...values })
}

/** What is wrong with a field: `field.*` by name, or by the kind of a schema's own issue. */
export function fieldMessage(
  language: Language,
  issue: { keyword: string; message: string; params: Readonly<Record<string, unknown>> },
): string {
  const intl = INTL.get(language)!
  if (/^field\.[a-zA-Z]+$/.test(issue.message) && issue.message in intl.messages)
    return intl.formatMessage({ id: issue.message })
  const { minimum, maximum } = issue.params
  switch (issue.keyword) {
    case 'invalid_type':
      return intl.formatMessage({
        id: issue.message.endsWith('received undefined') ? 'field.required' : 'field.type',
      })
    case 'too_small':
      return intl.formatMessage({ id: 'field.short' }, { minimum: Number(minimum) })
    case 'too_big':
      return intl.formatMessage({ id: 'field.long' }, { maximum: Number(maximum) })
    default:
      return intl.formatMessage({ id: 'field.invalid' })
  }
}

/** HK$ in a language, for texts of the server's own. */
export function moneyText(language: Language, cents: number): string {
  return INTL.get(language)!.formatNumber(cents / 100, { style: 'currency', currency: 'HKD' })
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
