import { FurlongError } from './errors.ts'

/** The flat stake of every recorded prediction in cents: 10 of the region’s currency. */
export const STAKE_CENTS = 1000

const AMOUNT = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/

/** Parses `1,234.50` to whole cents. Throws `bad-amount` for anything else, signs and exponents included. */
export function parseCents(text: string): number {
  const match = AMOUNT.exec(text.trim())
  if (!match) throw new FurlongError('bad-amount', { value: text })
  const cents = Number(match[1]!.replaceAll(',', '')) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  if (!Number.isSafeInteger(cents)) throw new FurlongError('bad-amount', { value: text })
  return cents
}

/**
 * A published dividend as cents for a stake of 10: `64.50`, `1,234.00`, or with its own unit
 * `226,778.10/$1.0`. Throws `bad-amount`.
 */
export function parseDividendCents(text: string): number {
  const [amount = '', unit, ...more] = text.split('/$')
  if (unit === undefined) return parseCents(amount)
  const perCents = parseCents(unit)
  if (perCents === 0 || more.length > 0) throw new FurlongError('bad-amount', { value: text })
  return Math.round((parseCents(amount) * STAKE_CENTS) / perCents)
}

/** Decimal odds of a dividend for a stake of 10. */
export const oddsOfDividend = (dividendCents: number): number => dividendCents / STAKE_CENTS

/**
 * For what stake dividends are published, in whole units of the currency: 10 by the Hong Kong Jockey Club, 2 in the charts of
 * Equibase, 100 by the Japan Racing Association, and 1 by the totes of Britain, Ireland, France and Australia. A currency has
 * the stake of its region.
 */
const DIVIDEND_STAKES: Readonly<Record<string, number>> = { HKD: 10, USD: 2, JPY: 100 }

/** The stake of published dividends in whole units of a currency, by its ISO 4217 code. */
export const dividendStake = (currency: string): number => DIVIDEND_STAKES[currency] ?? 1

/** What stands before an amount of each currency of a region; dollars are told apart. */
const SYMBOLS: Readonly<Record<string, string>> = {
  HKD: 'HK$',
  USD: 'US$',
  AUD: 'A$',
  GBP: '£',
  EUR: '€',
  JPY: 'JP¥',
}

/** Decimals with which amounts of a currency are written: there are no coins below a yen. */
export const currencyPlaces = (currency: string): number => (currency === 'JPY' ? 0 : 2)

/** The symbol of a currency by its ISO 4217 code; the code itself for one that no region has. */
export const currencySymbol = (currency: string): string => SYMBOLS[currency] ?? `${currency} `

/** Cents as an exact decimal text with two places, `1234.50`: the format of money in responses. */
export function centsText(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100)
  const rest = String(Math.abs(cents) % 100).padStart(2, '0')
  return `${cents < 0 ? '-' : ''}${whole}.${rest}`
}
