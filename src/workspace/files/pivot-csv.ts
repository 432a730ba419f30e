import { MODELS, type ModelName } from '../../../analytics/models.ts'
import type { Model } from '../../../analytics/model.ts'
import { BYTE_ORDER_MARK, csvGuarded, csvLine } from '../../../domain/csv.ts'
import type { AnswerRow } from '../../data/analytics/cells.ts'
import type { ShownMeasure } from '../state/panel-spec.ts'
import { figureOf } from '../words/measure-text.ts'

/** A line or a column, with its totals. */
interface Side {
  text: string
  row: AnswerRow
}

/** `whole`: the line that it is a part of; `null` for none. */
interface PivotLine extends Side {
  whole: Side | null
}

/** A pivot in the order on screen. */
interface PivotRows<Line extends PivotLine, Column extends Side> {
  lines: readonly Line[]
  columns: readonly Column[]
  cellOf(line: Line, column: Column): AnswerRow | undefined
  all: AnswerRow
}

interface PivotCsv {
  subject: ModelName
  measures: readonly ShownMeasure[]
  /** What the lines, the columns and their totals are called. */
  down: string
  across: string
  /** What the parts of lines are called; `null` where lines have none. */
  within: string | null
  total: string
  nameOf(measure: ShownMeasure): string
}

const SHARE_DIGITS = 6

/** A figure as a number, as in files of rows: amounts in dollars, percentages as fractions of one; `null` if it cannot be stated. */
function cellOf(subject: ModelName, row: AnswerRow | undefined, measure: ShownMeasure): number | null {
  const value = row === undefined ? null : figureOf(row, measure)
  if (value === null) return null
  const { measures }: Model = MODELS[subject]
  return measures[measure]?.unit === 'cents'
    ? Number((value / 100).toFixed(2))
    : Number(value.toFixed(SHARE_DIGITS))
}

/**
 * A pivot as a CSV file: a row for each line, with its totals and then every measure of every column. Where lines have
 * parts, a second column names the part, or that the row is the total of its line.
 */
export function pivotCsv<Line extends PivotLine, Column extends Side>(
  { lines, columns, cellOf: rowOf, all }: PivotRows<Line, Column>,
  { subject, measures, down, across, within, total, nameOf }: PivotCsv,
): Blob {
  const headings = [total, ...columns.map(({ text }) => `${across} ${text}`)].flatMap((column) =>
    measures.map((measure) => `${column}: ${nameOf(measure)}`),
  )
  const line = (names: readonly string[], rows: readonly (AnswerRow | undefined)[]): string =>
    csvLine([
      ...names.slice(0, within === null ? 1 : 2).map(csvGuarded),
      ...rows.flatMap((row) => measures.map((each) => cellOf(subject, row, each))),
    ])
  const namesOf = ({ whole, text }: Line): string[] => (whole ? [whole.text, text] : [text, total])
  return new Blob(
    [
      BYTE_ORDER_MARK + csvLine([down, ...(within === null ? [] : [within]), ...headings]),
      ...lines.map((each) =>
        line(namesOf(each), [each.row, ...columns.map((column) => rowOf(each, column))]),
      ),
      line([total, total], [all, ...columns.map(({ row }) => row)]),
    ],
    { type: 'text/csv;charset=utf-8' },
  )
}
