import type { Dimension, Scalar } from '../../../analytics/model.ts'
import { MODELS, type ModelName } from '../../../analytics/models.ts'
import { FIELDS } from '../../../analytics/rows.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../../domain/csv.ts'
import type { Collection } from '../../data/analytics/all-rows.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { dimensionOf } from '../../../analytics/view/dimension-of.ts'

/** Saddle numbers, which a spreadsheet would interpret as a date. */
const BRACKETED = new Set(['combination', 'result', 'winner_no'])
const SHARE_DIGITS = 6
/** Odds are stored in single precision, which has seven significant digits. */
const SINGLE_DIGITS = 7

type Cell = string | number | boolean | null

interface CsvOptions {
  subject: ModelName
  columns: readonly string[]
  /** Suffix of the name columns in the user's language. */
  suffix: string
  headingOf(column: string): string
  /** The text of a message id such as `outcome.hit`. */
  word(id: string): string
  /** The class of a race as text, from its code. */
  classText(code: string): string
  /** Whether the file has the model’s names and codes in place of headings and words: `going`, `good_to_firm`. */
  asCodes?: boolean
  /** Columns of amounts in cents, and dimensions, that the rows have beside those of the subject. */
  amounts?: readonly string[]
  dimensions?: readonly string[]
}

/**
 * Rows as CSV text in the user's language: amounts in the currency's unit, percentages as fractions of one, names, and
 * words for codes and truth values. What is a number stays one, and days are in the form that spreadsheets read.
 */
export class CsvRows implements Collection {
  private readonly parts: string[]
  private readonly cells: readonly CellOf[]

  constructor(options: CsvOptions) {
    const { subject, columns, headingOf, asCodes = false, amounts = [], dimensions = [] } = options
    this.parts = [BYTE_ORDER_MARK + csvLine(asCodes ? columns : columns.map(headingOf))]
    this.cells = columns.map((column) =>
      Object.hasOwn(MODELS[subject].dimensions, column) || dimensions.includes(column)
        ? dimensionCell(dimensionOf(column), column, options)
        : amounts.includes(column)
          ? centsCell(column)
          : fieldCell(column, options),
    )
  }

  add(rows: readonly AnswerRow[]): void {
    this.parts.push(rows.map((row) => csvLine(this.cells.map((cell) => cell(row)))).join(''))
  }

  file(): Blob {
    return new Blob(this.parts, { type: 'text/csv;charset=utf-8' })
  }
}

type CellOf = (row: AnswerRow) => Cell

const ofNumber =
  (column: string, write: (value: number) => Cell): CellOf =>
  (row) => {
    const value = row[column]
    return typeof value === 'number' ? write(value) : null
  }

/** Written without an apostrophe even if it is negative, because it is a number. */
const asNumber = (value: number, digits: number): Cell => Number(value.toFixed(digits))

const centsCell = (column: string): CellOf => ofNumber(column, (cents) => asNumber(cents / 100, 2))

function fieldCell(column: string, { subject, word, asCodes }: CsvOptions): CellOf {
  const field = FIELDS[subject][column]
  if (field?.type === 'boolean' && !asCodes) return wordCell(column, (value) => word(yesOrNo(value)))
  if (BRACKETED.has(column)) return (row) => (row[column] == null ? null : `[${String(row[column])}]`)
  if (field?.unit === 'cents') return centsCell(column)
  if (field?.unit === 'share') return ofNumber(column, (share) => asNumber(share, SHARE_DIGITS))
  if (field?.type === 'number') return ofNumber(column, (value) => Number(value.toPrecision(SINGLE_DIGITS)))
  return (row) => row[column] ?? null
}

const yesOrNo = (value: Scalar): string => (value === true ? 'common.yes' : 'common.no')

/** How the values of a dimension are said; `null` if they are numbers, days or texts of their own. */
function wordsOf({ display, words }: Dimension, { word, classText }: CsvOptions) {
  switch (display) {
    case 'words':
      return (value: Scalar) => word(`${words}.${String(value)}`)
    case 'class':
      return (value: Scalar) => classText(String(value))
    case 'weekday':
      return (value: Scalar) => word(`weekday.${String(value)}`)
    case 'calendar-month':
      return (value: Scalar) => word(`calendarMonth.${String(value)}`)
    case 'yes-no':
      return (value: Scalar) => word(yesOrNo(value))
    default:
      return null
  }
}

/** Words of the values of a column, each of which is looked up once. */
function wordCell(column: string, wordOf: (value: Scalar) => string): CellOf {
  const known = new Map<Scalar, string>()
  return (row) => {
    const value = row[column] ?? null
    if (value === null) return null
    const text = known.get(value) ?? wordOf(value)
    known.set(value, text)
    return text
  }
}

function dimensionCell(dimension: Dimension, column: string, options: CsvOptions): CellOf {
  const { suffix, asCodes } = options
  if (dimension.names)
    return (row) => row[`${column}_${suffix}`] ?? row[`${column}_hant`] ?? row[`${column}_en`] ?? null
  const wordOf = asCodes ? null : wordsOf(dimension, options)
  if (wordOf !== null) return wordCell(column, wordOf)
  if (dimension.display === 'percent') return ofNumber(column, (share) => asNumber(share, SHARE_DIGITS))
  if (dimension.type === 'number')
    return ofNumber(column, (value) => Number(value.toPrecision(SINGLE_DIGITS)))
  return (row) => row[column] ?? null
}
