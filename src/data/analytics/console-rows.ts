import { tableFromIPC, type Vector } from 'apache-arrow'
import { CONSOLE_ROWS, type ConsoleAnswer, type ConsoleColumn } from '../../../analytics/console-api.ts'

/** A value as DuckDB's shell prints it; `null` if it is missing. */
export type ConsoleCell = string | null

/** How the values of a column are ordered, drawn and written to files. */
export type ConsoleKind = 'number' | 'text' | 'boolean' | 'day' | 'time' | 'instant' | 'interval'

export interface ConsoleRows {
  columns: (ConsoleColumn & { kind: ConsoleKind })[]
  /** By column, in the order of `columns`. */
  rows: ConsoleCell[][]
  /** Whether there are more rows than these. */
  truncated: boolean
  milliseconds: number
}

/** Types that are not listed are texts: lists, structures, bits and others. */
const KINDS: readonly [type: RegExp, kind: ConsoleKind][] = [
  [/^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|BIGNUM|VARINT|DECIMAL\(\d+,\d+\))$/, 'number'],
  [/^BOOLEAN$/, 'boolean'],
  [/^DATE$/, 'day'],
  [/^TIME(_NS)?$/, 'time'],
  [/^TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?$/, 'instant'],
  [/^INTERVAL$/, 'interval'],
]

const kindOf = (type: string): ConsoleKind => KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'text'

/** The number in a cell of the kind `number`: `NaN` for `nan`, rounded beyond 2^53. */
export function numberIn(cell: string): number {
  if (/^-?inf$/.test(cell)) return cell === 'inf' ? Infinity : -Infinity
  return Number(cell)
}

/** Reads the result of any statement. */
export function readConsoleRows({ columns, bytes, milliseconds }: ConsoleAnswer): ConsoleRows {
  const table = tableFromIPC(bytes)
  const vectors = columns.map((_, at) => table.getChildAt(at) as Vector)
  const size = Math.min(table.numRows, CONSOLE_ROWS)
  const rows = Array.from({ length: size }, (_, row) =>
    vectors.map((vector) => (vector.get(row) ?? null) as ConsoleCell),
  )
  return {
    columns: columns.map(({ name, type }) => ({ name, type, kind: kindOf(type) })),
    rows,
    truncated: table.numRows > CONSOLE_ROWS,
    milliseconds,
  }
}
