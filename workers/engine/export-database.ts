import { FurlongError } from '../../domain/errors.ts'
import type { DuckDb } from './duckdb.ts'
import emptyUrl from './empty.duckdb?url'
import { runShortSql, runSql, type Interrupt } from './run-sql.ts'

/** Each export has a name of its own: the engine keeps what it knew of a file by its name, its log among it. */
let exports = 0

/** The rows of a statement as the bytes of a DuckDB database with one table. Throws the errors of a statement. */
export async function exportDatabase(
  duckdb: DuckDb,
  table: string,
  sql: string,
  interrupt: Interrupt,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; rows: number }> {
  // The engine cannot begin a database file, only go on with one: this has no table.
  const response = await fetch(emptyUrl)
  if (!response.ok) throw new FurlongError('dataset-unavailable', { status: response.status })
  exports += 1
  const file = `export-${exports}.duckdb`
  await duckdb.database.registerFileBuffer(file, new Uint8Array(await response.arrayBuffer()))
  try {
    await runShortSql(duckdb, `ATTACH '${file}' AS exported`)
    try {
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
