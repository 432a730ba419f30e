import { MODELS, type ModelName } from '../../../analytics/models.ts'
import type { Model } from '../../../analytics/model.ts'
import { BYTE_ORDER_MARK, csvGuarded, csvLine } from '../../../domain/csv.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { type RollingPoint } from '../../../analytics/view/rolling.ts'
import type { ShownMeasure } from '../../../analytics/view/panel-spec.ts'
import { figureOf } from '../words/measure-text.ts'
import { daysTo, PARQUET, parquetFile } from './parquet-file.ts'

/** A column of a panel's file, under its heading; `day`: days as `yyyy-mm-dd`. */
export interface TableColumn {
  name: string
  kind: 'text' | 'day' | 'number'
  cells: readonly (string | number | null)[]
}

export type TableFormat = 'csv' | 'parquet'

/** Columns of equal length as a file, in the reader's words. */
export const tableFile = (columns: readonly TableColumn[], format: TableFormat): Blob =>
  format === 'csv' ? csvOf(columns) : parquetOf(columns)

function csvOf(columns: readonly TableColumn[]): Blob {
  const cellOf = ({ kind, cells }: TableColumn, at: number): string | number | null => {
    const cell = cells[at] ?? null
    return kind === 'text' && cell !== null ? csvGuarded(String(cell)) : cell
  }
  const lines = (columns[0]?.cells ?? []).map((_, at) => csvLine(columns.map((column) => cellOf(column, at))))
  return new Blob([BYTE_ORDER_MARK + csvLine(columns.map(({ name }) => csvGuarded(name))), ...lines], {
    type: 'text/csv;charset=utf-8',
  })
}

const ELEMENTS = { text: PARQUET.text, day: PARQUET.day, number: PARQUET.double }

/** A Parquet file has no two columns of one name: a second one is “name (2)”. */
function parquetOf(columns: readonly TableColumn[]): Blob {
  const seen = new Map<string, number>()
  return parquetFile(
    columns.map(({ name, kind, cells }) => {
      const count = (seen.get(name) ?? 0) + 1
      seen.set(name, count)
      return {
        name: count === 1 ? name : `${name} (${count})`,
        element: ELEMENTS[kind],
        data: kind === 'day' ? cells.map((cell) => (cell === null ? null : daysTo(String(cell)))) : cells,
      }
    }),
  )
}

interface Figures {
  subject: ModelName
  measures: readonly ShownMeasure[]
  nameOf(measure: ShownMeasure): string
}

const SHARE_DIGITS = 6

const rounded = (value: number | null): number | null =>
  value === null ? null : Number(value.toFixed(SHARE_DIGITS))

/** A measure's figures as numbers, as in files of rows: amounts in dollars, percentages as fractions of one. */
export function figuresIn(
  subject: ModelName,
  measure: ShownMeasure,
): (value: number | null) => number | null {
  const { measures }: Model = MODELS[subject]
  if (measures[measure]?.unit !== 'cents') return rounded
  return (cents) => (cents === null ? null : Number((cents / 100).toFixed(2)))
}

/** A figure of a row; `null` if it cannot be stated. */
const figureIn = (subject: ModelName, row: AnswerRow | undefined, measure: ShownMeasure): number | null =>
  figuresIn(subject, measure)(row === undefined ? null : figureOf(row, measure))

/** What a table is grouped by: a heading, and each row's value under it. */
interface GroupedBy {
  name: string
  kind: 'text' | 'day'
  valueOf(row: AnswerRow): string | null
}

/** Groups as a table: a row for each, with its values and then its measures. */
export const groupColumns = (
  rows: readonly AnswerRow[],
  by: readonly GroupedBy[],
  { subject, measures, nameOf }: Figures,
): TableColumn[] => [
  ...by.map(({ name, kind, valueOf }) => ({ name, kind, cells: rows.map(valueOf) })),
  ...measures.map((measure) => ({
    name: nameOf(measure),
    kind: 'number' as const,
    cells: rows.map((row) => figureIn(subject, row, measure)),
  })),
]

/** A line over the last race days as a table: each day, the figure, what it is judged against, if anything, and the bets. */
export function rollingColumns(
  points: readonly RollingPoint[],
  figure: (value: number | null) => number | null,
  names: Readonly<Record<'day' | 'value' | 'bets', string> & { standard?: string }>,
): TableColumn[] {
  const column = (name: string, of: 'value' | 'standard' | 'bets'): TableColumn => ({
    name,
    kind: 'number',
    cells: points.map((point) => (of === 'bets' ? point.bets : figure(point[of]))),
  })
  return [
    { name: names.day, kind: 'day', cells: points.map(({ day }) => day) },
    column(names.value, 'value'),
    ...(names.standard === undefined ? [] : [column(names.standard, 'standard')]),
    column(names.bets, 'bets'),
  ]
}

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

interface PivotNames extends Figures {
  /** What the lines, the columns and their totals are called. */
  down: string
  across: string
  /** What the parts of lines are called; `null` where lines have none. */
  within: string | null
  total: string
}

/**
 * A pivot as a table: a row for each line, with its totals and then every measure of every column. Where lines have parts, a
 * second column names the part, or that the row is the total of its line.
 */
export function pivotColumns<Line extends PivotLine, Column extends Side>(
  { lines, columns, cellOf, all }: PivotRows<Line, Column>,
  { subject, measures, down, across, within, total, nameOf }: PivotNames,
): TableColumn[] {
  const figures = (name: string, rows: readonly (AnswerRow | undefined)[]): TableColumn[] =>
    measures.map((measure) => ({
      name: `${name}: ${nameOf(measure)}`,
      kind: 'number',
      cells: rows.map((row) => figureIn(subject, row, measure)),
    }))
  const text = (name: string, cells: readonly string[]): TableColumn => ({ name, kind: 'text', cells })
  return [
    text(down, [...lines.map((line) => (line.whole ?? line).text), total]),
    ...(within === null
      ? []
      : [text(within, [...lines.map((line) => (line.whole ? line.text : total)), total])]),
    ...figures(total, [...lines.map(({ row }) => row), all]),
    ...columns.flatMap((column) =>
      figures(`${across} ${column.text}`, [...lines.map((line) => cellOf(line, column)), column.row]),
    ),
  ]
}
