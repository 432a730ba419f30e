import type { Model } from './model.ts'
import type { ModelName } from './models.ts'
import { RACE_ROW_COLUMNS, RACES } from './races.ts'
import { FIELDS, rowColumns } from './rows.ts'
import type { Column } from './table.ts'
import { PREDICTION, STARTER, STARTER_DETAIL, STARTER_SECTIONS } from './tables.ts'

/**
 * The type of a column in a file of rows. Odds and probabilities are stored in single precision; `SINGLE` is written as the shortest
 * decimal DOUBLE that rounds to such a value, so that odds of 3.4 are 3.4 in every program that reads the file.
 */
export type FileType = 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'SINGLE' | 'BOOLEAN' | 'DATE' | 'VARCHAR'

export interface FileColumn {
  name: string
  type: FileType
}

const OF_STORED: Readonly<Record<string, FileType>> = {
  TINYINT: 'INTEGER',
  SMALLINT: 'INTEGER',
  INTEGER: 'INTEGER',
  BIGINT: 'BIGINT',
  FLOAT: 'SINGLE',
  DATE: 'DATE',
}
const OF_SHOWN = { integer: 'INTEGER', number: 'DOUBLE', boolean: 'BOOLEAN', text: 'VARCHAR' } as const

const TABLES: Readonly<Record<string, Readonly<Record<string, Column>>>> = {
  prediction: PREDICTION.columns,
  starter: { ...STARTER.columns, ...STARTER_DETAIL.columns, ...STARTER_SECTIONS.columns },
  [RACES.table]: RACE_ROW_COLUMNS,
}

/** The type of a dimension or field of a model's rows: that of the table's column that it shows, if it is one. */
function typeOf(name: ModelName, model: Model, column: string): FileType {
  const { sql, type } = FIELDS[name][column] ?? model.dimensions[column]!
  const table = sql.startsWith('runner.') ? 'starter' : model.table
  const stored = TABLES[table]?.[sql.replace(/^(p|runner)\./, '')]?.type
  return (typeof stored === 'string' ? OF_STORED[stored] : undefined) ?? OF_SHOWN[type]
}

/**
 * The columns of a file of rows with their types.
 *
 * ```ts
 * import { PREDICTIONS } from './predictions.ts'
 * fileColumns('predictions', PREDICTIONS, ['day', 'win_odds', 'profit_cents']).map(({ type }) => type) // => ['DATE', 'SINGLE', 'BIGINT']
 * ```
 */
export const fileColumns = (name: ModelName, model: Model, columns: readonly string[]): FileColumn[] =>
  columns.flatMap((column) =>
    rowColumns(name, model, [column]).map((spec) => ({
      name: spec.name,
      type: spec.name === column ? typeOf(name, model, column) : 'VARCHAR',
    })),
  )

const CAST: Readonly<Record<FileType, string>> = {
  INTEGER: '::INTEGER',
  BIGINT: '::BIGINT',
  DOUBLE: '::DOUBLE',
  // As text, because DuckDB prints the shortest number that it reads back as the same one.
  SINGLE: '::FLOAT::VARCHAR::DOUBLE',
  BOOLEAN: '::BOOLEAN',
  DATE: '::DATE',
  VARCHAR: '::VARCHAR',
}

/**
 * Gives the columns of a planned statement the types of a file.
 *
 * ```ts
 * typedSql('SELECT 1.0 AS rank', [{ name: 'rank', type: 'INTEGER' }]) // => 'SELECT rank::INTEGER AS rank FROM (SELECT 1.0 AS rank)'
 * ```
 */
export const typedSql = (sql: string, columns: readonly FileColumn[]): string =>
  `SELECT ${columns.map(({ name, type }) => `${name}${CAST[type]} AS ${name}`).join(', ')} FROM (${sql})`
