import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { readManifest } from '../../server/dataset/dataset-index.ts'

const shared = new Map<string, Promise<Reference>>()

/** The dataset's own tables of one model, queried with SQL written for the tests, without the semantic model. */
export class Reference {
  private readonly connection: DuckDBConnection

  private constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  /** Opens the files of some models; the same files of the server that all tests share are read once in a process. */
  static open(
    regionId: string,
    models: readonly string[],
    dataFolder = process.env['FURLONG_E2E_DATA']!,
  ): Promise<Reference> {
    const key = JSON.stringify([regionId, models, dataFolder, readManifest(dataFolder)!.asOf])
    const known = shared.get(key) ?? Reference.read(regionId, models, dataFolder)
    shared.set(key, known)
    return known
  }

  private static async read(
    regionId: string,
    models: readonly string[],
    dataFolder: string,
  ): Promise<Reference> {
    const folder = join(dataFolder, 'dataset')
    const manifest = readManifest(dataFolder)!
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const files = manifest.files.filter(
      ({ regionId: region, kind, model }) =>
        region === regionId &&
        (kind === 'reference' ||
          kind === 'racing' ||
          kind === 'ticks' ||
          kind === 'sections' ||
          (kind === 'record' && models.includes(model ?? ''))),
    )
    const byTable = new Map<string, string[]>()
    for (const [index, { sha256, rows }] of files.entries()) {
      await connection.run(`ATTACH '${join(folder, `${sha256}.duckdb`)}' AS f${index} (READ_ONLY)`)
      for (const table of Object.keys(rows))
        byTable.set(table, [...(byTable.get(table) ?? []), `SELECT * FROM f${index}.${table}`])
    }
    for (const [table, parts] of byTable)
      await connection.run(`CREATE TABLE ${table} AS ${parts.join(' UNION ALL ')}`)
    return new Reference(connection)
  }

  async rows(sql: string): Promise<Record<string, unknown>[]> {
    const reader = await this.connection.runAndReadAll(sql)
    return reader.getRowObjectsJS()
  }

  async one(sql: string): Promise<Record<string, number>> {
    const [row] = await this.rows(sql)
    return Object.fromEntries(
      Object.entries(row ?? {}).map(([name, value]) => [name, value === null ? Number.NaN : Number(value)]),
    )
  }
}
