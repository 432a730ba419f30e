import { useIntl } from 'react-intl'

/** Formats every number, day, percentage, amount of money and odds on screen. */
export interface Format {
  integer(value: number): string
  /** A fraction of 1 as a percentage with one decimal. */
  percent(share: number, decimals?: number): string
  /** A percentage that always shows its sign, with one decimal by default. */
  signedPercent(share: number, decimals?: number): string
  /** Cents of HK$. */
  money(cents: number): string
  signedMoney(cents: number): string
  /** HK$ in the API's format, `98.00`. */
  hkd(text: string): string
  signedHkd(text: string): string
  /** An amount in another currency, by its ISO 4217 code. */
  amount(text: string, currency: string): string
  /** A bank card by its last four digits. */
  card(lastFour: string): string
  /** With exactly the given number of decimals, so that the figures in a column align; zero has no sign. */
  decimal(value: number, decimals: number): string
  /** The share of the full price that is paid, in tenths as is usual in Chinese: `8.5`, `8`. */
  discountTenths(discount: number): string
  /** Always shows the sign. */
  signedDecimal(value: number, decimals: number): string
  /**
   * Decimal odds as a tote board shows them: one decimal below 10, whole from 10 up
   * unless exact ones are known.
   */
  odds(value: number): string
  /** A day in the specification's format, the same in every language: `2026-1-9`. */
  day(date: string): string
  /** A day with its weekday. */
  longDay(date: string): string
  /** A month `yyyy-mm`. */
  month(month: string): string
  /** An instant in the user's time zone. */
  instant(iso: string): string
  /** The day of an instant in the user's time zone. */
  instantDay(iso: string): string
  time(iso: string, timeZone?: string): string
  /** With seconds, for live data. */
  clock(iso: string): string
  /** A running time in milliseconds, `1:09.86`. */
  runningTime(milliseconds: number): string
  bytes(count: number): string
}

/** Days are calendar days of a region, so they are parsed and formatted in UTC. */
const utc = (date: string): Date => new Date(`${date}T00:00:00Z`)

/** Creates a value on first use: creating an `Intl` object costs more than all its formatting. */
function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

function byKey<Key extends string | number, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}

const AMOUNT = {
  style: 'currency',
  currency: 'HKD',
  currencyDisplay: 'narrowSymbol',
  minimumFractionDigits: 2,
} as const
const hongKong = (text: string): string => text.replace(/^([+−]?)\$/, '$1HK$')
const NO_ZONE = ''

/** Uses the minus sign, which is as wide as a plus, instead of a hyphen. */
const withMinus = (text: string): string => text.replace('-', '−')

/** The formatters of numbers in a language, each made when it is first used. */
function numberFormats(locale: string) {
  const numbers = (options: Intl.NumberFormatOptions) => {
    const made = once(() => new Intl.NumberFormat(locale, options))
    return () => ({ format: (value: number) => withMinus(made().format(value)) })
  }
  const shares = (signDisplay: 'auto' | 'exceptZero') =>
    byKey(
      (places: number) =>
        new Intl.NumberFormat(locale, {
          style: 'percent',
          minimumFractionDigits: places,
          maximumFractionDigits: places,
          signDisplay,
        }),
    )
  const fixed = (signDisplay: 'negative' | 'exceptZero') =>
    byKey(
      (places: number) =>
        new Intl.NumberFormat(locale, {
          minimumFractionDigits: places,
          maximumFractionDigits: places,
          signDisplay,
        }),
    )
  const currencies = byKey(
    (currency: string) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code' }),
  )
  return {
    integer: numbers({ maximumFractionDigits: 0 }),
    money: numbers(AMOUNT),
    signedMoney: numbers({ ...AMOUNT, signDisplay: 'exceptZero' }),
    percents: shares('auto'),
    signedPercents: shares('exceptZero'),
    decimals: fixed('negative'),
    signed: fixed('exceptZero'),
    tenths: numbers({ maximumFractionDigits: 1 }),
    currencies,
    odds: numbers({ minimumFractionDigits: 1, maximumFractionDigits: 2 }),
    megabytes: numbers({ style: 'unit', unit: 'megabyte', unitDisplay: 'short', maximumFractionDigits: 1 }),
  }
}

/** The formatters of dates and times in a language, each made when it is first used. */
function dateFormats(locale: string) {
  const dates = (options: Intl.DateTimeFormatOptions) => once(() => new Intl.DateTimeFormat(locale, options))
  return {
    weekday: dates({ weekday: 'short', timeZone: 'UTC' }),
    month: dates({ year: 'numeric', month: 'short', timeZone: 'UTC' }),
    clock: dates({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
    times: byKey(
      (timeZone: string) =>
        new Intl.DateTimeFormat(locale, {
          hour: '2-digit',
          minute: '2-digit',
          hourCycle: 'h23',
          ...(timeZone === NO_ZONE ? {} : { timeZone }),
        }),
    ),
  }
}

/** The formatter of a language; always the same object. */
export const makeFormat = byKey((locale: string): Format => {
  const numbers = numberFormats(locale)
  const dates = dateFormats(locale)
  // Days have the same format in every language (decisions section 2), alone and before a 24-hour time.
  const day = (date: string): string => date.split('-').map(Number).join('-')
  const instantDay = (at: Date): string => `${at.getFullYear()}-${at.getMonth() + 1}-${at.getDate()}`
  return {
    integer: (value) => numbers.integer().format(value),
    percent: (share, places = 1) => withMinus(numbers.percents(places).format(share)),
    signedPercent: (share, places = 1) => withMinus(numbers.signedPercents(places).format(share)),
    money: (cents) => hongKong(numbers.money().format(cents / 100)),
    signedMoney: (cents) => hongKong(numbers.signedMoney().format(cents / 100)),
    hkd: (text) => hongKong(numbers.money().format(Number(text))),
    amount: (text, currency) =>
      currency === 'HKD'
        ? hongKong(numbers.money().format(Number(text)))
        : withMinus(numbers.currencies(currency).format(Number(text))),
    signedHkd: (text) => hongKong(numbers.signedMoney().format(Number(text))),
    signedDecimal: (value, places) => withMinus(numbers.signed(places).format(value)),
    card: (lastFour) => `•••• ${lastFour}`,
    decimal: (value, places) => withMinus(numbers.decimals(places).format(value)),
    discountTenths: (discount) => numbers.tenths().format(discount * 10),
    odds: (value) => numbers.odds().format(value),
    day,
    longDay: (date) => `${day(date)} ${dates.weekday().format(utc(date))}`,
    month: (text) => dates.month().format(utc(`${text}-01`)),
    instant: (iso) => {
      const at = new Date(iso)
      return `${instantDay(at)} ${dates.times(NO_ZONE).format(at)}`
    },
    instantDay: (iso) => instantDay(new Date(iso)),
    clock: (iso) => dates.clock().format(new Date(iso)),
    runningTime: (milliseconds) => {
      const hundredths = Math.round(milliseconds / 10)
      const rest = (hundredths % 6000) / 100
      return `${Math.floor(hundredths / 6000)}:${rest.toFixed(2).padStart(5, '0')}`
    },
    time: (iso, timeZone = NO_ZONE) => dates.times(timeZone).format(new Date(iso)),
    bytes: (count) => numbers.megabytes().format(count / 1e6),
  }
})

/** The formatter of the user's language. */
export function useFormat(): Format {
  const { locale } = useIntl()
  return makeFormat(locale)
}
