import { cleanText, missingOf } from './clean-text.ts'
import { MISSING, unreadable, valueOf, type Reading } from './reading.ts'

export type DecimalSign = '.' | ','

export interface NumberForm {
  decimal: DecimalSign
  /** Only digits, a sign, groups of thousands and an exponent: no currency, percentage or brackets. */
  plain?: boolean
  /** Fractional odds (`5/2`, `evens`) are read as decimal odds: 3.5, 2. */
  odds?: boolean
}

/** A plain number whose point cannot divide thousands. */
const POINT = /^[+-]?\d*\.(?:\d{1,2}|\d{4,})$/
const SIMPLE = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/
/** Minus signs of all kinds. */
const DASHES = /[\u2010-\u2015\u2212]/g
const CURRENCY =
  /(?:hk|us|au|nt|nz|ca|sg|[acs])?\$|[€£¥元圓圆]|hkd|usd|aud|eur|gbp|jpy|cny|rmb|sgd|nzd|cad|twd/
const LEADING = new RegExp(`^([+-]?) ?(?:${CURRENCY.source}) ?`, 'i')
const TRAILING = new RegExp(` ?(?:${CURRENCY.source})$`, 'i')
const FRACTION = /^(\d{1,4}) ?[/-] ?(\d{1,4})$/
const EVEN = /^(?:evens?|evs|evn)$/i

const escaped = (sign: string): string => sign.replace('.', String.raw`\.`)

/** Unsigned digits with a decimal sign; groups of thousands are all divided by the same sign, and none follows a 0. */
const digitsPattern = (decimal: DecimalSign, thousands: string): RegExp =>
  new RegExp(
    String.raw`^(?:(?:\d+|[1-9]\d{0,2}([${thousands}])\d{3}(?:\1\d{3})*)(?:${escaped(decimal)}\d*)?|${escaped(decimal)}\d+)(?:e[+-]?\d{1,3})?$`,
    'i',
  )
const DIGITS = { '.': digitsPattern('.', ` ,'’`), ',': digitsPattern(',', ` .'’`) } as const

/** A number without its sign, currency and percentage; `null` if it is none. */
function unsigned(text: string, decimal: DecimalSign): number | null {
  if (!DIGITS[decimal].test(text)) return null
  const bare = text.replaceAll(decimal === '.' ? /[ ,'’]/g : /[ .'’]/g, '').replace(',', '.')
  const value = Number(bare)
  return Number.isFinite(value) ? value : null
}

/** Fractional odds as decimal odds; `null` for other texts. */
function oddsOf(text: string): number | null {
  if (EVEN.test(text)) return 2
  const [, won, staked] = FRACTION.exec(text) ?? []
  return won === undefined || Number(staked) === 0 ? null : Number(won) / Number(staked) + 1
}

/** Takes brackets, a percent sign and a currency off a number: `(HK$2.50)`, `35.1 %`. */
function unmarked(text: string): { text: string; sign: 1 | -1; percent: boolean } {
  const bracketed = /^\( ?([^()+-]+?) ?\)( ?%)?$/.exec(text)
  const inside = bracketed ? bracketed[1]! + (bracketed[2] ?? '') : text
  const sign = bracketed ? -1 : 1
  return inside.endsWith('%')
    ? { text: inside.slice(0, -1).trimEnd(), sign, percent: true }
    : { text: inside.replace(LEADING, '$1').replace(TRAILING, ''), sign, percent: false }
}

function signed(clean: string, { decimal, plain = false, odds = false }: NumberForm): number | null {
  const dashed = clean.replaceAll(DASHES, '-')
  // Files that are safe to open in a spreadsheet have an apostrophe before a sign.
  const written = /^'[+-]/.test(dashed) ? dashed.slice(1) : dashed
  const price = odds ? oddsOf(written) : null
  if (price !== null) return price
  const { text, sign, percent } = plain ? { text: written, sign: 1, percent: false } : unmarked(written)
  const digits = /^[+-]/.test(text) ? text.slice(1).trimStart() : text
  const size = unsigned(digits, decimal)
  if (size === null) return null
  // Dividing by 100 would round twice: 35.1 is no binary fraction.
  const value = percent ? Number(`${size}e-2`) || size / 100 : size
  return (text.startsWith('-') ? -sign : sign) * value + 0
}

/**
 * A number as people write it: `1,289.00`, `HK$10`, `35.1 %` (0.351), `(2.50)` and `−1.5` below 0. Never takes a sign
 * for something else: with a decimal point `2,5` is not 25 and not 2.5, but cannot be read.
 */
export function readNumber(text: string, form: NumberForm): Reading<number> {
  if (form.decimal === '.' && SIMPLE.test(text)) return valueOf(Number(text))
  const clean = cleanText(text)
  if (missingOf(clean)) return MISSING
  const value = signed(clean, form)
  if (value !== null) return valueOf(value)
  const example = form.decimal === '.' ? '1234.5' : '1234,5'
  const other = signed(clean, { ...form, decimal: form.decimal === '.' ? ',' : '.' })
  return unreadable(other === null ? 'not-a-number' : 'other-decimal-sign', example)
}

/**
 * Which decimal sign a text proves: `either` if it is a number with both but not the same one (`2,289`), `null` if it
 * has no such sign or is no number.
 */
export function decimalSignOf(text: string): DecimalSign | 'either' | null {
  if (!/[.,．，]/.test(text)) return null
  if (POINT.test(text)) return '.'
  const clean = cleanText(text)
  const [point, comma] = [signed(clean, { decimal: '.' }), signed(clean, { decimal: ',' })]
  if (point === null) return comma === null ? null : ','
  if (comma === null) return '.'
  if (point === comma) return null
  return 'either'
}
