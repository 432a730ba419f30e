import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { readManifest } from '../server/dataset/build.ts'
import { prepareQuery } from '../workers/queries/catalogue.ts'
import { viewStatements } from '../workers/sql/views.ts'
import type { Case } from './cases.ts'

/** Native DuckDB of the same version over the same files, shown through the same views, one thread. */
export class NativeEngine {
  private readonly connection: DuckDBConnection

  private constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  static async open(dataFolder: string): Promise<NativeEngine> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    const files = readManifest(dataFolder)!.files.filter(
      ({ regionId, kind }) => regionId === '100000' && kind !== 'recent',
    )
    for (const { sha256 } of files) {
      const path = join(dataFolder, 'dataset', `${sha256}.duckdb`)
      await connection.run(`ATTACH '${path}' AS f_${sha256.slice(0, 16)} (READ_ONLY)`)
    }
    const shown = files.map(({ sha256, rows }) => ({
      alias: `f_${sha256.slice(0, 16)}`,
      tables: Object.keys(rows),
    }))
    for (const statement of viewStatements(shown)) await connection.run(statement)
    return new NativeEngine(connection)
  }

  /** Milliseconds from the named query to its rows in columns of JavaScript values. */
  async ask({ name, parameters }: Case): Promise<{ milliseconds: number; rows: number }> {
    const started = performance.now()
    const { sql } = prepareQuery(name, parameters, { history: true, seasonStartMonth: 9 })
    const reader = await this.connection.runAndReadAll(sql)
    const columns = reader.getColumnsJS()
    return { milliseconds: performance.now() - started, rows: columns[0]?.length ?? 0 }
  }
}
