import { FurlongError } from '../../domain/errors.ts'
import type { DuckDb } from './duckdb.ts'
import emptyUrl from './empty.duckdb?url'
import { runShortSql, runSql, type Interrupt } from './run-sql.ts'

/**
 * Every export has a unique file name, because the engine caches a file's state by name, including its log.
 */
let exports = 0

/**
 * The rows of a statement as the bytes of a DuckDB database with one table. Throws the statement's errors.
 */
export async function exportDatabase(
  duckdb: DuckDb,
  table: string,
  sql: string,
  interrupt: Interrupt,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; rows: number }> {
  // The engine cannot create a database file, only open an existing one: this one has no tables.
  const response = await fetch(emptyUrl)
  if (!response.ok) throw new FurlongError('dataset-unavailable', { status: response.status })
  exports += 1
  const file = `export-${exports}.duckdb`
  await duckdb.database.registerFileBuffer(file, new Uint8Array(await response.arrayBuffer()))
  try {
    await runShortSql(duckdb, `ATTACH '${file}' AS exported`)
    try {
      // The rows go straight into the file: the engine has no file for a log, and says so on the console.
      await runShortSql(duckdb, `SET checkpoint_threshold = '0B'`)
      await runSql(duckdb, `CREATE TABLE exported.${table} AS ${sql}`, interrupt)
      await runShortSql(duckdb, 'CHECKPOINT exported')
      const counted = await duckdb.connection.query(`SELECT count(*)::DOUBLE AS rows FROM exported.${table}`)
      const rows = Number(counted.get(0)!['rows'])
      await runShortSql(duckdb, 'DETACH exported')
      const bytes = await duckdb.database.copyFileToBuffer(file)
      return { bytes: bytes.slice(), rows }
    } finally {
      await runShortSql(duckdb, 'DETACH DATABASE IF EXISTS exported')
    }
  } finally {
    await duckdb.database.dropFiles([file, `${file}.wal`])
  }
}
