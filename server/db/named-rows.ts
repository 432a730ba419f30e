import { camelCase } from '../../domain/camel-case.ts'
import type { Parameter } from './database.ts'

/** PostgreSQL's numbers of the types whose values both drivers return in the same form. */
const INT8 = 20
const DATE = 1082
const TIMESTAMPTZ = 1184
const NUMERIC = 1700

/** Reads the text of a value, by the number of its type; other types are read as the driver does. */
export const CELL_PARSERS: Readonly<Record<number, (text: string) => string | number>> = {
  [INT8]: Number,
  [NUMERIC]: Number,
  [DATE]: (text) => text,
  [TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
}

/** The rows of a statement by camel-cased column name, from its columns' names and the cells of each row. */
export function namedRows<Row>(columns: readonly string[], cells: readonly (readonly unknown[])[]): Row[] {
  const names = columns.map(camelCase)
  // Copying a row that has every column already is faster than adding each column to an empty one.
  const empty: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]))
  return cells.map((row) => {
    const named = { ...empty }
    for (let index = 0; index < names.length; index += 1) named[names[index]!] = row[index]
    return named as Row
  })
}

/** Parameters as both drivers send them: a `Date` as ISO 8601, whatever the type of the parameter. */
export const sentParameters = (parameters: readonly Parameter[]): Exclude<Parameter, Date>[] =>
  parameters.map((value) => (value instanceof Date ? value.toISOString() : value))
