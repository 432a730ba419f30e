import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createIntl, createIntlCache, type IntlShape } from '@formatjs/intl'
import type { FurlongError } from '../../domain/errors.ts'
import { LANGUAGES, languageOfTags, languageRules, type Language } from '../../domain/languages.ts'
import { currencyPlaces, currencySymbol } from '../../domain/money.ts'
import { ROOT } from './program.ts'

const MAX_HEADER_CHARACTERS = 500
const cache = createIntlCache()

function load(language: Language): IntlShape {
  const messages = Object.assign(
    {},
    ...['errors', 'fields', 'server', 'card', 'race'].map((file) => {
      const path = join(ROOT, 'locales', language, `${file}.json`)
      return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
    }),
  ) as Record<string, string>
  return createIntl({ locale: language, messages }, cache)
}

const INTL = new Map(LANGUAGES.map((language) => [language, load(language)]))

/** An error's message in a language. */
export const errorMessage = (
  language: Language,
  { code, details }: Pick<FurlongError, 'code' | 'details'>,
): string => serverMessage(language, `error.${code}`, details)

/** A text sent by the server, such as that of a verification code. */
export function serverMessage(
  language: Language,
  id: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return INTL.get(language)!.formatMessage({ id }, { ...values })
}

/** The name of a piece of gear by its code; an unknown code is its own name. */
export function gearText(language: Language, code: string): string {
  const intl = INTL.get(language)!
  const id = `gear.${code}`
  return id in intl.messages ? intl.formatMessage({ id }) : code
}

/** Several names, as a language lists them. */
export const listText = (language: Language, names: readonly string[]): string =>
  INTL.get(language)!.formatList([...names])

/** Decimal odds as the site writes them. */
export const oddsText = (language: Language, odds: number): string =>
  INTL.get(language)!.formatNumber(odds, { minimumFractionDigits: 1, maximumFractionDigits: 2 })

/** The minus sign of the site, which is as wide as a plus. */
const withMinus = (text: string): string => text.replace('-', '−')

/** A fraction of 1 as the site writes percentages, with its sign or without. */
export const percentText = (language: Language, share: number, signed: boolean): string =>
  withMinus(
    INTL.get(language)!.formatNumber(share, {
      style: 'percent',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
      signDisplay: signed ? 'exceptZero' : 'auto',
    }),
  )

/** A ratio with two decimals. */
export const ratioText = (language: Language, ratio: number): string =>
  INTL.get(language)!.formatNumber(ratio, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A gain or loss in cents of a region's currency as the site writes it. */
export const signedMoneyText = (language: Language, cents: number, currency: string): string =>
  withMinus(
    INTL.get(language)!.formatNumber(cents / 100, {
      style: 'currency',
      currency: 'HKD',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: currencyPlaces(currency),
      maximumFractionDigits: currencyPlaces(currency),
      signDisplay: 'exceptZero',
    }),
  ).replace(/^([+−]?)\$/, (_, sign: string) => sign + currencySymbol(currency))

/** A race day with its month and year. */
export const dayText = (language: Language, day: string): string =>
  new Intl.DateTimeFormat(languageRules(language).calendar, {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  }).format(new Date(`${day}T00:00:00Z`))

/** A day with its weekday, and the time, in the time zone of a race. */
export const startText = (language: Language, timeZone: string, instant: Date): string =>
  INTL.get(language)!.formatDate(instant, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })

/** The message for an invalid field: a `field.*` message by name, or by the kind of the schema's issue. */
export function fieldMessage(
  language: Language,
  issue: { keyword: string; message: string; params: Readonly<Record<string, unknown>> },
): string {
  const intl = INTL.get(language)!
  const { minimum, maximum, params } = issue.params
  if (/^field\.[a-zA-Z]+$/.test(issue.message) && issue.message in intl.messages)
    return intl.formatMessage({ id: issue.message }, (params ?? {}) as Record<string, string>)
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

/** An amount in HK$, formatted for texts sent by the server. */
export function moneyText(language: Language, cents: number): string {
  return INTL.get(language)!.formatNumber(cents / 100, { style: 'currency', currency: 'HKD' })
}

/** The preferred supported language of an `Accept-Language` header; English without one. */
export function languageOf(header: string | undefined): Language {
  const wanted = (header ?? '')
    .slice(0, MAX_HEADER_CHARACTERS)
    .split(',')
    .map((range, index) => {
      const [tag = '', ...parameters] = range.toLowerCase().split(';')
      const weight = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean)
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight), index }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || a.index - b.index)
  return languageOfTags(wanted.map(({ tag }) => tag))
}
