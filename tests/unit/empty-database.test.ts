import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'

test('the file that exports begin with is a database without tables, of the version that every reader opens', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`ATTACH 'workers/engine/empty.duckdb' AS empty (READ_ONLY)`)
  const tables = await connection.runAndReadAll(
    `SELECT count(*)::INTEGER FROM duckdb_tables() WHERE database_name = 'empty'`,
  )
  expect(tables.getRows()).toEqual([[0]])
  const version = await connection.runAndReadAll(
    `SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = 'empty'`,
  )
  // Files of this version are read by DuckDB 1.0 and newer.
  expect(String(version.getRows()[0]![0])).toContain('v1.0.0')
})
