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

function signed(clean: string, { decimal, plain = false, odds = false }: NumberForm): number | null {
  let text = clean.replaceAll(DASHES, '-')
  // Files that are safe to open in a spreadsheet have an apostrophe before a sign.
  if (/^'[+-]/.test(text)) text = text.slice(1)
  if (odds && EVEN.test(text)) return 2
  const fraction = odds ? FRACTION.exec(text) : null
  if (fraction) return Number(fraction[2]) === 0 ? null : Number(fraction[1]) / Number(fraction[2]) + 1
  let sign = 1
  let percent = false
  if (!plain) {
    const bracketed = /^\( ?([^()+-]+?) ?\)( ?%)?$/.exec(text)
    if (bracketed) {
      sign = -1
      text = bracketed[1]! + (bracketed[2] ?? '')
    }
    if (text.endsWith('%')) {
      percent = true
      text = text.slice(0, -1).trimEnd()
    } else text = text.replace(LEADING, '$1').replace(TRAILING, '')
  }
  if (/^[+-]/.test(text)) {
    if (text.startsWith('-')) sign = -sign
    text = text.slice(1).trimStart()
  }
  const value = unsigned(text, decimal)
  if (value === null) return null
  // Dividing by 100 would round twice: 35.1 is no binary fraction.
  return sign * (percent ? Number(`${value}e-2`) || value / 100 : value) + 0
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
  const clean = cleanText(text)
  const [point, comma] = [signed(clean, { decimal: '.' }), signed(clean, { decimal: ',' })]
  if (point === null) return comma === null ? null : ','
  if (comma === null) return '.'
  if (point === comma) return null
  return 'either'
}
