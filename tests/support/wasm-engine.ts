import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { materializeSteps, openStatements } from '../../analytics/open.ts'
import { attachedFile, filesOf, type Row } from './native.ts'
import type { ModelId } from '../../contract/model-ids.ts'
import type { DuckDb } from '../../workers/engine/duckdb.ts'

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
  copyFileToBuffer(name: string): Uint8Array
  dropFile(name: string): void
  dropFiles(names: string[]): void
}
interface NodeBindings {
  runQuery(connection: number, sql: string): Uint8Array
}

/** The browser's engine in this process without any files. */
export interface BareWasm {
  version: string
  database: NodeDatabase
  /** The engine in the form in which the browser's workers have it, whose calls are answered later. */
  duckdb: DuckDb
  run(sql: string): Row[]
}

export async function bareWasm(): Promise<BareWasm> {
  const path = require.resolve('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs')
  const build = require(path) as NodeBuild
  const folder = dirname(path)
  const bundle = { mainModule: join(folder, 'duckdb-eh.wasm'), mainWorker: '' }
  const database = await build.createDuckDB(
    { mvp: bundle, eh: bundle },
    new build.VoidLogger(),
    build.NODE_RUNTIME,
  )
  await database.instantiate(() => {})
  database.open({ query: { castBigIntToDouble: true, castDecimalToDouble: true } })
  const connection = database.connect()
  const run = (sql: string): Row[] => {
    const table = tableFromIPC(connection.useUnsafe((bindings, id) => bindings.runQuery(id, sql)))
    return table.toArray().map((row) => (row as { toJSON(): Row }).toJSON())
  }
  run('SET autoload_known_extensions = false')
  const duckdb = {
    database: {
      registerFileBuffer: async (name: string, bytes: Uint8Array) => database.registerFileBuffer(name, bytes),
      copyFileToBuffer: async (name: string) => database.copyFileToBuffer(name),
      dropFile: async (name: string) => database.dropFile(name),
      dropFiles: async (names: string[]) => database.dropFiles(names),
    },
    connection: {
      useUnsafe: connection.useUnsafe.bind(connection),
      query: async (sql: string) =>
        tableFromIPC(connection.useUnsafe((bindings, id) => bindings.runQuery(id, sql))),
    },
  } as unknown as DuckDb
  return { version: database.getVersion(), database, duckdb, run }
}

/** Runs the same WASM build as the browser in this process, over a data folder's files. */
export class WasmEngine {
  readonly version: string
  /** The engine in the form in which the browser's workers have it, whose calls are answered later. */
  readonly duckdb: DuckDb
  private readonly query: (sql: string) => Row[]

  private constructor(version: string, duckdb: DuckDb, query: (sql: string) => Row[]) {
    this.version = version
    this.duckdb = duckdb
    this.query = query
  }

  /** `materialize`: tables are in memory and rollups are built, as they are a second after opening. */
  static async open(
    dataFolder: string,
    regionId: string,
    models: readonly ModelId[],
    materialize = true,
  ): Promise<WasmEngine> {
    const { database, run, duckdb, version } = await bareWasm()
    const files = filesOf(dataFolder, regionId, models)
    for (const file of files) {
      const path = join(dataFolder, 'dataset', `${file.sha256}.duckdb`)
      database.registerFileBuffer(`${file.sha256}.duckdb`, readFileSync(path))
      run(`ATTACH '${file.sha256}.duckdb' AS ${attachedFile(file).alias} (READ_ONLY)`)
    }
    const attached = files.map(attachedFile)
    for (const statement of [
      ...openStatements(attached),
      ...(materialize ? materializeSteps(attached).flatMap(({ statements }) => statements) : []),
    ])
      run(statement)
    return new WasmEngine(version, duckdb, run)
  }

  rows(sql: string): Row[] {
    return this.query(sql)
  }
}
