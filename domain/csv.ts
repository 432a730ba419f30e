/**
 * Formats a cell of a CSV file (RFC 4180); `null` is an empty cell. Text that a spreadsheet would run as a
 * formula is prefixed with an apostrophe.
 */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const guarded = isFormula(value) ? `'${value}` : value
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** Characters that a spreadsheet may skip before a formula: blanks, control characters, and those that take up no room. */
const SKIPPED = String.raw`[\s\p{Cc}\p{Cf}]*`
/** With the forms of these signs that are as wide as a Chinese character, which spreadsheets read as the same. */
const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|${SKIPPED}[=+\\-@＝＋－＠﹦﹢﹣﹫])`, 'u')

const isFormula = (text: string): boolean => FORMULA.test(text)

/** Words and signs of dates and times. */
const TIME_WORDS =
  /(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)|[ap]m?\b|上午|下午|[年月日時时分秒]/gi
/** What numbers, shares, amounts, fractions, dates and times consist of. */
const NUMERIC = /^(?=.*\d)[\d\s.,:/%()$£€¥e+'-]+$/i
/** A number that a spreadsheet shows exactly as it is written. */
const PLAIN = /^(?:0|-?[1-9]\d{0,14}|-?(?:0|[1-9]\d{0,8})\.\d{0,5}[1-9])$/
const TRUTH = /^(?:true|false)$/i

/**
 * A text as a spreadsheet must keep it: with an apostrophe before one that it would read as a date, a number or a truth
 * value and show as something else. `3-7` would be 3 July, `007` would be 7.
 *
 * ```ts
 * csvGuarded('5/2') // => "'5/2"
 * csvGuarded('C+3') // => 'C+3'
 * ```
 */
export function csvGuarded(text: string): string {
  const plain = text.normalize('NFKC').trim()
  if (PLAIN.test(text)) return text
  return NUMERIC.test(plain.replaceAll(TIME_WORDS, ' ')) || TRUTH.test(plain) ? `'${text}` : text
}

/** Spreadsheets recognise a file as UTF-8 only with this prefix. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Cells as a line, with its line break. */
export const csvLine = (cells: readonly (string | number | boolean | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`
