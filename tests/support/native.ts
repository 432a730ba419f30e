import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { CONSTANTS_SQL, constantsOf, materializeSteps, openStatements } from '../../analytics/open.ts'
import type { Scalar } from '../../analytics/model.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import type { Request } from '../../analytics/request.ts'
import type { Access } from '../../analytics/source.ts'
import { chooseFiles } from '../../contract/dataset-files.ts'
import type { DatasetFile } from '../../contract/dataset.ts'
import type { ModelId } from '../../contract/model-ids.ts'
import { readManifest } from '../../server/dataset/dataset-index.ts'

export type Row = Record<string, Scalar | null>

/** The files that the engine opens for a region, as a VIP gets them. */
export function filesOf(dataFolder: string, regionId: string, models: readonly ModelId[]): DatasetFile[] {
  const manifest = readManifest(dataFolder)!
  return chooseFiles(manifest, { regionId, models, entitled: true, details: true, sections: true })
}

export const attachedFile = ({ sha256, rows }: DatasetFile) => ({
  alias: `f_${sha256.slice(0, 16)}`,
  tables: Object.keys(rows),
})

/** Native DuckDB of the same version over the same files, opened with the same statements, on one thread. */
export class NativeEngine {
  private readonly connection: DuckDBConnection

  private readonly access: Access

  private constructor(connection: DuckDBConnection, access: Access) {
    this.connection = connection
    this.access = access
  }

  static async open(dataFolder: string, regionId: string, models: readonly ModelId[]): Promise<NativeEngine> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    const files = filesOf(dataFolder, regionId, models)
    for (const file of files) {
      const path = join(dataFolder, 'dataset', `${file.sha256}.duckdb`)
      await connection.run(`ATTACH '${path}' AS ${attachedFile(file).alias} (READ_ONLY)`)
    }
    const attached = files.map(attachedFile)
    for (const statement of [
      ...openStatements(attached),
      ...materializeSteps(attached).flatMap(({ statements }) => statements),
    ])
      await connection.run(statement)
    const found = await connection.runAndReadAll(CONSTANTS_SQL)
    const constants = constantsOf(found.getRowObjectsJS() as { model: string; origin: string }[])
    return new NativeEngine(connection, { scope: 'all', constants })
  }

  async run(sql: string): Promise<void> {
    await this.connection.run(sql)
  }

  async rows(sql: string): Promise<Row[]> {
    const reader = await this.connection.runAndReadAll(sql)
    return reader.getRowObjectsJS() as Row[]
  }

  /** Milliseconds from the request until its rows are columns of JavaScript values. */
  async ask(request: Request): Promise<{ milliseconds: number; rows: number }> {
    const started = performance.now()
    const { sql } = planRequest(request, this.access)
    const reader = await this.connection.runAndReadAll(sql)
    const columns = reader.getColumnsJS()
    return { milliseconds: performance.now() - started, rows: columns[0]?.length ?? 0 }
  }
}
