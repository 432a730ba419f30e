import type { NamedStatement } from '../../../analytics/console-api.ts'
import { tablesIn } from '../../../analytics/sql-references.ts'
import { RESERVED } from './console-tables.ts'
import type { Cell, SqlCell } from './document.ts'
import { withValues } from './parameters.ts'

/** Why other cells cannot read a cell under its name. */
export type NameFault = 'shape' | 'table' | 'twice'

/** Why a document's cell cannot be run: the names of the cells that it is about. */
export type ReferenceFault =
  /** Cells that read each other: the last is the first. */
  | { kind: 'cycle'; names: readonly string[] }
  /** The first reads the second, which is below it. */
  | { kind: 'below'; names: readonly [string, string] }

const SHAPE = /^[\p{L}_][\p{L}\p{N}_]*$/u
const MAX_NAME = 40

const isSql = (cell: Cell): cell is SqlCell => cell.kind === 'sql'
const keyOf = ({ name }: Pick<SqlCell, 'name'>): string => name.toLowerCase()

/** What is wrong with the name of a cell; `null` if nothing is. `tables`: names of the console's own tables. */
export function nameFault(
  cells: readonly Cell[],
  cell: SqlCell,
  tables: readonly string[],
): NameFault | null {
  const key = keyOf(cell)
  if (key === '') return null
  if (!SHAPE.test(key) || key.length > MAX_NAME || RESERVED.has(key)) return 'shape'
  if (tables.includes(key)) return 'table'
  return cells.some((other) => other.id !== cell.id && isSql(other) && keyOf(other) === key) ? 'twice' : null
}

/** The cells of a document that others read, by their names in lower case. */
function readable(cells: readonly Cell[], tables: readonly string[]): Map<string, SqlCell> {
  const known = cells
    .filter(isSql)
    .filter((cell) => cell.name !== '' && nameFault(cells, cell, tables) === null)
  return new Map(known.map((cell) => [keyOf(cell), cell]))
}

/** The names, in lower case, under which cells are read by others. */
export function namesRead(cells: readonly Cell[], tables: readonly string[]): Set<string> {
  const known = readable(cells, tables)
  return new Set(cells.filter(isSql).flatMap((cell) => tablesIn(cell.sql).filter((name) => known.has(name))))
}

/**
 * The statements whose rows a cell reads, each before those that read it, with the values of their parameters; or why they
 * cannot be.
 */
export function namedFor(
  cells: readonly Cell[],
  cell: SqlCell,
  tables: readonly string[],
): { named: NamedStatement[] } | { fault: ReferenceFault } {
  const known = readable(cells, tables)
  const named: NamedStatement[] = []
  let fault: ReferenceFault | null = null
  const visit = (reader: SqlCell, path: readonly SqlCell[]): void => {
    for (const name of tablesIn(reader.sql)) {
      const source = known.get(name)
      if (source === undefined || fault !== null) continue
      const start = path.indexOf(source)
      if (start >= 0) {
        fault = { kind: 'cycle', names: [...path.slice(start), source].map((each) => each.name) }
        return
      }
      visit(source, [...path, source])
      if (fault !== null) return
      if (cells.indexOf(source) > cells.indexOf(reader))
        fault = { kind: 'below', names: [reader.name, source.name] }
      else if (!named.some((each) => each.name === source.name))
        named.push({ name: source.name, sql: withValues(source.sql) })
    }
  }
  visit(cell, [cell])
  return fault === null ? { named } : { fault }
}
