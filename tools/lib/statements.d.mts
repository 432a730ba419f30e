export type ColumnKind = 'string' | 'number' | 'boolean' | 'array' | 'bytes' | 'json'

export interface ReadStatement {
  /** File and line. */
  place: string
  sql: string
  /** The kinds of each declared column besides `null`, or of the only one, `*`; `null` if the row's columns are not declared. */
  columns: Readonly<Record<string, readonly ColumnKind[]>> | null
}

export function readStatements(
  root: string,
  config: string,
  functions?: Readonly<Record<string, (...values: never[]) => string>>,
): { statements: ReadStatement[]; unread: string[] }
