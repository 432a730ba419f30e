import { camelCase } from '../../domain/camel-case.ts'
import type { Parameter, Queries } from './database.ts'

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

/** What a driver returns for a statement: its columns, and the cells of each row. */
interface Answer {
  fields: readonly { name: string }[]
  rows: readonly (readonly unknown[])[]
}

/** Queries that a driver answers. It is sent a `Date` as ISO 8601, whatever the type of the parameter. */
export const queriesOver = (
  ask: (sql: string, parameters: Exclude<Parameter, Date>[]) => Promise<Answer>,
): Queries => ({
  rows: async <Row>(sql: string, parameters: readonly Parameter[] = []) => {
    const sent = parameters.map((value) => (value instanceof Date ? value.toISOString() : value))
    const { fields, rows } = await ask(sql, sent)
    const names = fields.map(({ name }) => camelCase(name))
    // Copying a row that has every column already is faster than adding each column to an empty one.
    const empty: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]))
    return rows.map((row) => {
      const named = { ...empty }
      for (let index = 0; index < names.length; index += 1) named[names[index]!] = row[index]
      return named as Row
    })
  },
})
