import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { materializeSteps, openStatements } from '../../analytics/open.ts'
import { attachedFile, filesOf, type Row } from '../../bench/native.ts'
import type { ModelId } from '../../contract/model-ids.ts'

const require = createRequire(import.meta.url)

/** The part of the package's Node build that is used here; its types are not exported. */
interface NodeBuild {
  VoidLogger: new () => unknown
  NODE_RUNTIME: unknown
  createDuckDB(bundles: object, logger: unknown, runtime: unknown): Promise<NodeDatabase>
}
interface NodeDatabase {
  instantiate(onProgress: () => void): Promise<unknown>
  open(config: object): void
  connect(): { useUnsafe<Result>(work: (bindings: NodeBindings, id: number) => Result): Result }
  getVersion(): string
  registerFileBuffer(name: string, bytes: Uint8Array): void
}
interface NodeBindings {
  runQuery(connection: number, sql: string): Uint8Array
}

/** Runs the same WASM build as the browser in this process, over a data folder's files. */
export class WasmEngine {
  readonly version: string
  private readonly query: (sql: string) => Row[]

  private constructor(version: string, query: (sql: string) => Row[]) {
    this.version = version
    this.query = query
  }

  /** `materialize`: tables are in memory and rollups are built, as they are a second after opening. */
  static async open(
    dataFolder: string,
    regionId: string,
    models: readonly ModelId[],
    materialize = true,
  ): Promise<WasmEngine> {
    const path = require.resolve('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs')
    const duckdb = require(path) as NodeBuild
    const folder = dirname(path)
    const bundle = { mainModule: join(folder, 'duckdb-eh.wasm'), mainWorker: '' }
    const database = await duckdb.createDuckDB(
      { mvp: bundle, eh: bundle },
      new duckdb.VoidLogger(),
      duckdb.NODE_RUNTIME,
    )
    await database.instantiate(() => {})
    database.open({ query: { castBigIntToDouble: true, castDecimalToDouble: true } })
    const connection = database.connect()
    const run = (sql: string): Row[] => {
      const table = tableFromIPC(connection.useUnsafe((bindings, id) => bindings.runQuery(id, sql)))
      return table.toArray().map((row) => (row as { toJSON(): Row }).toJSON())
    }
    run('SET autoload_known_extensions = false')
    const files = filesOf(dataFolder, regionId, models)
    for (const file of files) {
      const path = join(dataFolder, 'dataset', `${file.sha256}.duckdb`)
      database.registerFileBuffer(`${file.sha256}.duckdb`, readFileSync(path))
      run(`ATTACH '${file.sha256}.duckdb' AS ${attachedFile(file).alias} (READ_ONLY)`)
    }
    const attached = files.map(attachedFile)
    for (const statement of [
      ...openStatements(attached),
      ...(materialize ? materializeSteps(attached).flat() : []),
    ])
      run(statement)
    return new WasmEngine(database.getVersion(), run)
  }

  rows(sql: string): Row[] {
    return this.query(sql)
  }
}
