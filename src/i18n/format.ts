import { use } from 'react'
import { useIntl } from 'react-intl'
import { languageRules } from '../../domain/languages.ts'
import { currencyPlaces, currencySymbol, dividendStake, STAKE_CENTS } from '../../domain/money.ts'
import { CurrencyContext } from './currency.ts'

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
} as const
/** Stands for the reader's own time zone. */
const READER = ''

/** Uses the minus sign, which is as wide as a plus, instead of a hyphen. */
const withMinus = (text: string): string => text.replace('-', '−')

/** The formatters of numbers in a language, each made when it is first used. */
function numberFormats(locale: string) {
  const numbers = (options: Intl.NumberFormatOptions) => {
    const made = once(() => new Intl.NumberFormat(locale, options))
    return () => ({ format: (value: number) => withMinus(made().format(value)) })
  }
  /** By the number of decimals. */
  const fixed = (options: Intl.NumberFormatOptions) =>
    byKey(
      (places: number) =>
        new Intl.NumberFormat(locale, {
          ...options,
          minimumFractionDigits: places,
          maximumFractionDigits: places,
        }),
    )
  return {
    integer: numbers({ maximumFractionDigits: 0 }),
    /** By the decimals of a currency. */
    money: fixed(AMOUNT),
    signedMoney: fixed({ ...AMOUNT, signDisplay: 'exceptZero' }),
    percents: fixed({ style: 'percent' }),
    signedPercents: fixed({ style: 'percent', signDisplay: 'exceptZero' }),
    decimals: fixed({ signDisplay: 'negative' }),
    signed: fixed({ signDisplay: 'exceptZero' }),
    tenths: numbers({ maximumFractionDigits: 1 }),
    odds: numbers({ minimumFractionDigits: 1, maximumFractionDigits: 2 }),
    megabytes: numbers({ style: 'unit', unit: 'megabyte', unitDisplay: 'short', maximumFractionDigits: 1 }),
  }
}

/** Day and month as a day has them, alone and before a time. */
const OF_DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const
const OF_TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** The formatters of dates and times in a language, each made when it is first used; by zone, `''` is the reader's. */
function dateFormats(locale: string) {
  const dates = (options: Intl.DateTimeFormatOptions) => once(() => new Intl.DateTimeFormat(locale, options))
  const inZone = (options: Intl.DateTimeFormatOptions) =>
    byKey(
      (timeZone: string) =>
        new Intl.DateTimeFormat(locale, { ...options, ...(timeZone === READER ? {} : { timeZone }) }),
    )
  return {
    day: dates({ ...OF_DAY, timeZone: 'UTC' }),
    longDay: dates({ ...OF_DAY, weekday: 'short', timeZone: 'UTC' }),
    weekday: dates({ weekday: 'short', timeZone: 'UTC' }),
    dayOfYear: dates({ month: 'short', day: 'numeric', timeZone: 'UTC' }),
    month: dates({ year: 'numeric', month: 'short', timeZone: 'UTC' }),
    instantDays: inZone(OF_DAY),
    instants: inZone({ ...OF_DAY, ...OF_TIME }),
    shortInstants: inZone({ month: 'short', day: 'numeric', ...OF_TIME }),
    times: inZone(OF_TIME),
    clocks: inZone({ ...OF_TIME, second: '2-digit' }),
    offsets: inZone({ timeZoneName: 'shortOffset' }),
  }
}

/** The formatters of instants of racing in a region's zone, which is named where it is not the reader's own. */
function zonedFormats(dates: ReturnType<typeof dateFormats>) {
  const offsetIn = (timeZone: string, at: Date): string =>
    dates
      .offsets(timeZone)
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')!.value
  /** The offset of a zone at an instant, `GMT+8`; `''` if it is the reader's own. */
  const zone = (timeZone: string, at: Date): string => {
    if (timeZone === READER) return ''
    const offset = offsetIn(timeZone, at)
    return offset === offsetIn(READER, at) ? '' : offset
  }
  const inZone =
    (formats: (timeZone: string) => Intl.DateTimeFormat) =>
    (iso: string, timeZone: string): string => {
      const at = new Date(iso)
      return `${formats(timeZone).format(at)} ${zone(timeZone, at)}`.trimEnd()
    }
  return { zone, inZone }
}

const numbersOf = byKey(numberFormats)
const datesOf = byKey((locale: string) => dateFormats(languageRules(locale).calendar))

/**
 * The formatter of a language, of every number, day, percentage, amount of money and odds; always the same object. Amounts of
 * bets and dividends are in the currency of a region, and the site's own prices in HK$.
 */
export const makeFormat = (locale: string, currency = 'HKD'): Format => formatOf(currency)(locale)

const formatOf = byKey((currency: string) => byKey((locale: string) => formatIn(locale, currency)))

/** How amounts of money are told; those of bets are in the currency of a region. */
function moneyIn(numbers: ReturnType<typeof numbersOf>, regionCurrency: string) {
  /** An amount, with its sign if it is a gain or a loss. */
  const told = (amount: number, currency: string, kind: 'money' | 'signedMoney' = 'money'): string => {
    const text = withMinus(numbers[kind](currencyPlaces(currency)).format(amount))
    return text.replace(/^([+−]?)\$/, (_, sign: string) => sign + currencySymbol(currency))
  }
  const dividendCents = (cents: number): string =>
    told((cents / STAKE_CENTS) * dividendStake(regionCurrency), regionCurrency)
  return {
    /** Cents of the region’s currency. */
    money: (cents: number) => told(cents / 100, regionCurrency),
    signedMoney: (cents: number) => told(cents / 100, regionCurrency, 'signedMoney'),
    /** A dividend for the flat stake, in the API's format `98.00` or in cents, as the region publishes it: for its own stake. */
    dividend: (text: string) => dividendCents(Number(text) * 100),
    dividendCents,
    /** A profit in the region’s currency and in the API's format. */
    profit: (text: string) => told(Number(text), regionCurrency, 'signedMoney'),
    /** A price or an income of the site: HK$ in the API's format, and in cents. */
    hkd: (text: string) => told(Number(text), 'HKD'),
    hkdCents: (cents: number) => told(cents / 100, 'HKD'),
    /** An amount in any currency, by its ISO 4217 code. */
    amount: (text: string, currency: string) => told(Number(text), currency),
  }
}

function formatIn(locale: string, regionCurrency: string) {
  const numbers = numbersOf(locale)
  const dates = datesOf(locale)
  const { zone, inZone } = zonedFormats(dates)
  const instantIn = inZone(dates.instants)
  const isComma = new Intl.NumberFormat(locale).format(1.5).includes(',')
  return {
    /** The sign before the decimals of every number in this language, shown or typed. */
    decimalSign: isComma ? (',' as const) : ('.' as const),
    integer: (value: number) => numbers.integer().format(value),
    /** A fraction of 1 as a percentage with one decimal by default. */
    percent: (share: number, places = 1) => withMinus(numbers.percents(places).format(share)),
    /** A chance of a bet: below 1% with a second decimal, because those of many combinations differ only there. */
    chance: (share: number) => withMinus(numbers.percents(share < 0.01 ? 2 : 1).format(share)),
    /** A percentage that always shows its sign, with one decimal by default. */
    signedPercent: (share: number, places = 1) => withMinus(numbers.signedPercents(places).format(share)),
    ...moneyIn(numbers, regionCurrency),
    /** A bank card by its last four digits. */
    card: (lastFour: string) => `•••• ${lastFour}`,
    /** With exactly the given number of decimals, so that the figures in a column align; zero has no sign. */
    decimal: (value: number, places: number) => withMinus(numbers.decimals(places).format(value)),
    /** The share of the full price that is paid, in tenths as is usual in Chinese: `8.5`, `8`. */
    discountTenths: (discount: number) => numbers.tenths().format(discount * 10),
    /** Always shows the sign. */
    signedDecimal: (value: number, places: number) => withMinus(numbers.signed(places).format(value)),
    /**
     * Decimal odds as a tote board shows them: one decimal below 10, whole from 10 up
     * unless exact ones are known.
     */
    odds: (value: number) => numbers.odds().format(value),
    /** A calendar day `yyyy-mm-dd`, in the reader's language (decisions of the specification): `9 Jan 2026`. */
    day: (date: string) => dates.day().format(utc(date)),
    /** A day with its weekday. */
    longDay: (date: string) => dates.longDay().format(utc(date)),
    weekday: (date: string) => dates.weekday().format(utc(date)),
    /** A day without its year, `9 Jan`. */
    dayOfYear: (date: string) => dates.dayOfYear().format(utc(date)),
    /** A month `yyyy-mm`. */
    month: (month: string) => dates.month().format(utc(`${month}-01`)),
    /** An instant in the user's own time zone: of their account and their device. */
    instant: (iso: string) => instantIn(iso, READER),
    /** The day of an instant in the user's own time zone. */
    instantDay: (iso: string) => dates.instantDays(READER).format(new Date(iso)),
    /** An instant of racing, in a time zone of racing, which is named where the user's differs. */
    instantIn,
    /** The same without the year, for axes and lists of odds. */
    shortInstantIn: inZone(dates.shortInstants),
    /** The time of an instant of racing, `14:30`, in a time zone of racing, which is named where the user's differs. */
    timeIn: inZone(dates.times),
    /** A post time as the server tells it, `14:30:00` of a day by the clocks of the racecourse. */
    localTime: (date: string, time: string, timeZone: string) =>
      `${time.slice(0, 5)} ${zone(timeZone, new Date(`${date}T${time}Z`))}`.trimEnd(),
    zone,
    /** With seconds, for live data. */
    clockIn: inZone(dates.clocks),
    /** A running time in milliseconds, `1:09.86`. */
    runningTime: (milliseconds: number) => {
      const hundredths = Math.round(milliseconds / 10)
      const rest = (hundredths % 6000) / 100
      return `${Math.floor(hundredths / 6000)}:${rest.toFixed(2).padStart(5, '0')}`
    },
    bytes: (count: number) => numbers.megabytes().format(count / 1e6),
  }
}

export type Format = ReturnType<typeof formatIn>

/** The formatter of the user's language. */
export const useFormat = (): Format => makeFormat(useIntl().locale, use(CurrencyContext))
