import type { CamelCase } from '../domain/camel-case.ts'

/**
 * A type with a fixed, short list of values: stored as a DuckDB ENUM, which groups
 * several times faster than text.
 */
interface EnumType {
  enum: readonly string[]
}

export type ScalarType =
  | 'TINYINT'
  | 'SMALLINT'
  | 'INTEGER'
  | 'BIGINT'
  | 'FLOAT'
  | 'DOUBLE'
  | 'BOOLEAN'
  | 'DATE'
  | 'TIMESTAMP'
  | 'VARCHAR'

export interface Column {
  type: ScalarType | EnumType
  /** Unit of a number: `cents`, `m`, `ms`, `lb`; absent for keys, counts and texts. */
  unit?: string
  meaning: string
}

export type Columns = Readonly<Record<string, Column>>

/**
 * A table of the dataset files. The order of `columns` is the order in the file; rows
 * are written by name only.
 */
export interface Table<Own extends Columns = Columns> {
  name: string
  meaning: string
  columns: Own
}

/** Days are `yyyy-mm-dd`, instants ISO 8601. */
export type Cell = string | number | boolean | null

type CellOf<Of extends Column> = Of['type'] extends 'BOOLEAN'
  ? boolean
  : Of['type'] extends 'DATE' | 'TIMESTAMP' | 'VARCHAR' | EnumType
    ? string
    : number

/** One row of a table, by camel-cased column name. */
export type RowOf<Of extends Table> = {
  [Name in keyof Of['columns'] & string as CamelCase<Name>]: CellOf<Of['columns'][Name]> | null
}

export const table = <const Own extends Columns>(
  name: string,
  meaning: string,
  columns: Own,
): Table<Own> => ({
  name,
  meaning,
  columns,
})

/** DuckDB's name of a column's type. */
export function sqlType({ type }: Column): string {
  return typeof type === 'string' ? type : `ENUM (${type.enum.map((value) => `'${value}'`).join(', ')})`
}

/**
 * The statement that creates a table; `prefix` names the database of an attached file.
 *
 * ```ts
 * createTable({ name: 'going', columns: { code: { type: 'VARCHAR' } } } as never) // => 'CREATE TABLE going (code VARCHAR)'
 * ```
 */
export function createTable(of: Table, prefix = ''): string {
  const columns = Object.entries(of.columns).map(([name, column]) => `${name} ${sqlType(column)}`)
  return `CREATE TABLE ${prefix}${of.name} (${columns.join(', ')})`
}
