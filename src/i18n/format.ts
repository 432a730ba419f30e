import { useMemo } from 'react'
import { useIntl } from 'react-intl'

/** Every number, day, share of money and odds on screen goes through here. */
export interface Format {
  integer(value: number): string
  /** A share of 1 as percent with one decimal. */
  percent(share: number, decimals?: number): string
  /** Percent with its sign always shown. */
  signedPercent(share: number): string
  /** Cents of HK$. */
  money(cents: number): string
  signedMoney(cents: number): string
  /** Decimal odds as a board shows them: one decimal below 10, whole above unless exact ones are known. */
  odds(value: number): string
  /** A day, as the specification writes it in every language: `2026-1-9`. */
  day(date: string): string
  /** A day with its weekday. */
  longDay(date: string): string
  /** A month `yyyy-mm`. */
  month(month: string): string
  /** An instant, in the reader's own time. */
  instant(iso: string): string
  time(iso: string, timeZone?: string): string
  bytes(count: number): string
}

/** Days are calendar days of a region, so they are read and shown in UTC. */
const utc = (date: string): Date => new Date(`${date}T00:00:00Z`)

export function makeFormat(locale: string): Format {
  const numbers = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, options)
  const dates = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, options)
  const integer = numbers({ maximumFractionDigits: 0 })
  const amount = {
    style: 'currency',
    currency: 'HKD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
  } as const
  const money = numbers(amount)
  const signedMoney = numbers({ ...amount, signDisplay: 'exceptZero' })
  const signedPercent = numbers({
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
  const percents = [0, 1, 2, 3].map((decimals) =>
    numbers({ style: 'percent', minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  )
  const odds = numbers({ minimumFractionDigits: 1, maximumFractionDigits: 2 })
  const longDay = dates({
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  })
  const month = dates({ year: 'numeric', month: 'short', timeZone: 'UTC' })
  const instant = dates({ dateStyle: 'medium', timeStyle: 'short' })
  const hongKong = (text: string): string => text.replace(/^([+-]?)\$/, '$1HK$')
  return {
    integer: (value) => integer.format(value),
    percent: (share, decimals = 1) => percents[decimals]!.format(share),
    signedPercent: (share) => signedPercent.format(share),
    money: (cents) => hongKong(money.format(cents / 100)),
    signedMoney: (cents) => hongKong(signedMoney.format(cents / 100)),
    odds: (value) => odds.format(value),
    day: (date) => date.split('-').map(Number).join('-'),
    longDay: (date) => longDay.format(utc(date)),
    month: (text) => month.format(utc(`${text}-01`)),
    instant: (iso) => instant.format(new Date(iso)),
    time: (iso, timeZone) =>
      dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(new Date(iso)),
    bytes: (count) =>
      numbers({ style: 'unit', unit: 'megabyte', unitDisplay: 'short', maximumFractionDigits: 1 }).format(
        count / 1e6,
      ),
  }
}

/** The formatter of the reader's language. */
export function useFormat(): Format {
  const { locale } = useIntl()
  return useMemo(() => makeFormat(locale), [locale])
}
