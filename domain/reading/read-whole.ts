import { cleanText, missingOf } from './clean-text.ts'
import { readNumber, type DecimalSign } from './read-number.ts'
import { MISSING, unreadable, valueOf, within, type Reading } from './reading.ts'

interface Bounds {
  from: number
  to: number
}

/** A whole number within bounds; `3.0` is 3. No hexadecimal digits, currency or percentage. */
export function readWhole(
  text: string,
  { from, to, decimal = '.' }: Bounds & { decimal?: DecimalSign },
): Reading<number> {
  const read = readNumber(text, { decimal, plain: true })
  if (read.kind !== 'value') return read.kind === 'missing' ? read : unreadable(read.problem, '12')
  if (!Number.isSafeInteger(read.value)) return unreadable('not-whole')
  return within(read, from, to)
}

const BEFORE = {
  race: String.raw`(?:race|r|第|場次|场次|賽事|赛事)`,
  saddle: String.raw`(?:horse|runner|saddle(?:cloth)?|cloth|tab|第|馬號|马号|號碼|号码)`,
} as const
const NUMBER_WORD = String.raw`(?:no|nr|num|number|號|号)`
const AFTER = { race: '(?:st|nd|rd|th)?(?: ?race)?|r|場|场|回|レース', saddle: '號|号|番' } as const
const DIGITS = '一二三四五六七八九'

const patternOf = (kind: 'race' | 'saddle'): RegExp =>
  new RegExp(
    String.raw`^(?:${BEFORE[kind]}[ .:_-]*)?(?:${NUMBER_WORD}[ .:]*)?[#＃]? ?(\d{1,3}|[十${DIGITS}]{1,3})(?:\.0*|,0)? ?(?:${AFTER[kind]})?$`,
    'iu',
  )
const PATTERNS = { race: patternOf('race'), saddle: patternOf('saddle') } as const

/** A Chinese number from 1 to 99; `null` if it is none. */
function chineseNumber(text: string): number | null {
  const match = new RegExp(`^(?:([${DIGITS}])?(十))?([${DIGITS}])?$`).exec(text)
  if (!match || text === '') return null
  const digit = (of: string | undefined): number => (of === undefined ? 0 : DIGITS.indexOf(of) + 1)
  return (match[2] === undefined ? 0 : (digit(match[1]) || 1) * 10) + digit(match[3])
}

/**
 * The number of a race or a saddle cloth from 1 to 99, with or without words around it: `R1`, `Race 1`, `第1場`, `#3`,
 * `No.3`, `3.0`. A letter after the number is another runner (`1A`) and cannot be read.
 */
export function readNumbered(text: string, kind: 'race' | 'saddle'): Reading<number> {
  const clean = cleanText(text)
  if (missingOf(clean)) return MISSING
  const found = PATTERNS[kind].exec(clean)?.[1]
  if (found === undefined) return unreadable('not-a-number', '3')
  const value = /\d/.test(found) ? Number(found) : chineseNumber(found)
  if (value === null) return unreadable('not-a-number', '3')
  return value >= 1 && value <= 99 ? valueOf(value) : unreadable('out-of-range', '1–99')
}
