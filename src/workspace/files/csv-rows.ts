import type { Dimension } from '../../../analytics/model.ts'
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
  /** Columns of amounts in cents, and dimensions, that the rows have beside those of the subject. */
  amounts?: readonly string[]
  dimensions?: readonly string[]
}

/**
 * Rows as CSV text in the user's language: amounts in dollars, percentages as fractions of
 * one, names, labels for keys.
 */
export class CsvRows implements Collection {
  private readonly parts: string[]
  private readonly cells: readonly CellOf[]

  constructor({ subject, columns, suffix, headingOf, word, amounts = [], dimensions = [] }: CsvOptions) {
    this.parts = [BYTE_ORDER_MARK + csvLine(columns.map(headingOf))]
    this.cells = columns.map((column) =>
      Object.hasOwn(MODELS[subject].dimensions, column) || dimensions.includes(column)
        ? dimensionCell(dimensionOf(column), column, suffix, word)
        : amounts.includes(column)
          ? centsCell(column)
          : fieldCell(subject, column),
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

function fieldCell(subject: ModelName, column: string): CellOf {
  const field = FIELDS[subject][column]
  if (BRACKETED.has(column)) return (row) => (row[column] == null ? null : `[${String(row[column])}]`)
  if (field?.unit === 'cents') return centsCell(column)
  if (field?.unit === 'share') return ofNumber(column, (share) => asNumber(share, SHARE_DIGITS))
  if (field?.type === 'number') return ofNumber(column, (value) => Number(value.toPrecision(SINGLE_DIGITS)))
  return (row) => row[column] ?? null
}

function dimensionCell(
  dimension: Dimension,
  column: string,
  suffix: string,
  word: CsvOptions['word'],
): CellOf {
  if (dimension.names)
    return (row) => row[`${column}_${suffix}`] ?? row[`${column}_hant`] ?? row[`${column}_en`] ?? null
  const { words, values } = dimension
  if (words !== undefined && values !== undefined) {
    const texts = new Map(values.map((value) => [String(value), word(`${words}.${value}`)]))
    return (row) => {
      const value = row[column] ?? null
      return value === null ? null : (texts.get(String(value)) ?? value)
    }
  }
  if (dimension.display === 'percent') return ofNumber(column, (share) => asNumber(share, SHARE_DIGITS))
  if (dimension.type === 'number')
    return ofNumber(column, (value) => Number(value.toPrecision(SINGLE_DIGITS)))
  return (row) => row[column] ?? null
}
