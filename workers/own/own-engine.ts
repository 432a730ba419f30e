import { tableFromIPC } from 'apache-arrow'
import type { DuckDb } from '../engine/duckdb.ts'
import { refuseDictionaries, runShortSql, runSql, type Interrupt } from '../engine/run-sql.ts'
import { recordOf } from './write-rows.ts'

const FILE = 'own-texts.csv'

export type Row = Record<string, unknown>

/** The engine as far as describing and matching a file need it. */
export interface OwnEngine {
  run(sql: string): Promise<unknown>
  rows(sql: string): Promise<Row[]>
  /** Creates a table with the column `text` and columns of these types; `null` is NULL. */
  write(
    table: string,
    columns: Readonly<Record<string, 'DOUBLE' | 'DATE' | 'VARCHAR' | 'INTEGER' | 'BOOLEAN'>>,
    records: readonly (readonly (string | number | boolean | null)[])[],
  ): Promise<void>
}

/** Runs each task after the ones before it, because the engine's connection handles one at a time. */
export type Alone = <Value>(work: (duckdb: DuckDb) => Promise<Value>) => Promise<Value>

/** `interrupt` ends the statement that is running; `alone` is to refuse the ones after it. */
export const ownEngine = (alone: Alone, interrupt: Interrupt = { cancelled: false }): OwnEngine => ({
  run: (sql) => alone((duckdb) => runSql(duckdb, sql, interrupt)),
  rows: async (sql) => {
    const table = tableFromIPC(await alone((duckdb) => runSql(duckdb, sql, interrupt)))
    refuseDictionaries(table)
    return table.toArray().map((row) => (row as { toJSON(): Row }).toJSON())
  },
  write: (table, columns, records) =>
    alone(async (duckdb) => {
      const types = { text: 'VARCHAR', ...columns }
      const listed = Object.entries(types)
      if (records.length === 0) {
        await runShortSql(
          duckdb,
          `CREATE OR REPLACE TEMP TABLE ${table} (${listed.map(([name, type]) => `${name} ${type}`).join(', ')})`,
        )
        return
      }
      const { database } = duckdb
      await database.registerFileBuffer(FILE, new TextEncoder().encode(records.map(recordOf).join('')))
      try {
        // An empty text in quotes is a text; only a cell without quotes is NULL.
        await runSql(
          duckdb,
          `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT * FROM read_csv('${FILE}', header = false, auto_detect = false,
             delim = ',', quote = '"', escape = '"', new_line = '\\n', strict_mode = true, allow_quoted_nulls = false,
             columns = {${listed.map(([name, type]) => `'${name}': '${type}'`).join(', ')}})`,
          interrupt,
        )
      } finally {
        await database.dropFile(FILE)
      }
    }),
})
