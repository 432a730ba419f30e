import { AsyncDuckDB, VoidLogger, type AsyncDuckDBConnection } from '@duckdb/duckdb-wasm'
import workerUrl from '@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js?url'
import wasmUrl from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url'
import { FurlongError } from '../../domain/errors.ts'

/** A running engine with its only connection. */
export interface DuckDb {
  database: AsyncDuckDB
  connection: AsyncDuckDBConnection
}

/** The smallest module that uses WASM exceptions, which the engine's build needs. */
const EXCEPTIONS_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11,
])

/** DuckDB's worker with its script, before the engine is compiled. */
export interface LoadedEngine {
  worker: Worker
  baseUrl: string
}

/** Loads the engine's script from this site. Throws `engine-unsupported`. */
export function loadEngine(baseUrl: string): LoadedEngine {
  if (typeof WebAssembly !== 'object' || !WebAssembly.validate(EXCEPTIONS_PROBE)) {
    throw new FurlongError('engine-unsupported')
  }
  return { worker: new Worker(new URL(workerUrl, baseUrl)), baseUrl }
}

/** The engine's module is fetched in chunks: after this long without one, the connection counts as lost. */
const STALLED_MS = 30_000
/** After this long without the first chunk, the worker requests the module itself to find out whether it can be fetched. */
const DOUBTED_MS = 3000

/**
 * The library never settles if the module cannot be fetched. So prolonged silence is a failure, and so is silence while
 * the worker's own requests for the module fail.
 */
async function instantiated(database: AsyncDuckDB, url: string): Promise<void> {
  const heard = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await new Promise<unknown>((resolve, reject) => {
      const watch = (): void => {
        clearTimeout(timer)
        timer = setTimeout(() => reject(new Error('the engine was not loaded')), STALLED_MS)
      }
      const watchChunk = (): void => {
        heard.abort()
        watch()
      }
      watch()
      database.instantiate(url, null, watchChunk).then(resolve, reject)
      checkFetchable(url, heard.signal).catch(reject)
    })
  } finally {
    heard.abort()
    clearTimeout(timer)
  }
}

/**
 * Requests a file every few seconds, without reading its content, until it is answered or `heard` is aborted. Throws if two
 * requests in a row fail or are answered with an error: one alone may be chance.
 */
async function checkFetchable(url: string, heard: AbortSignal): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    await new Promise((resolve) => setTimeout(resolve, DOUBTED_MS))
    if (heard.aborted) return
    try {
      const response = await fetch(url, { signal: heard })
      await response.body?.cancel()
      if (response.ok) return
      throw new Error(`the engine's module was answered with ${response.status}`)
    } catch (error) {
      if (heard.aborted) return
      if (failures > 0) throw error
    }
  }
}

/**
 * Compiles and starts DuckDB-WASM. Extensions are never loaded: by default a missing one is fetched from
 * another origin, and fails offline in ways that break the module. Throws `engine-failed`.
 */
export async function startEngine({ worker, baseUrl }: LoadedEngine): Promise<DuckDb> {
  const database = new AsyncDuckDB(new VoidLogger(), worker)
  try {
    await instantiated(database, new URL(wasmUrl, baseUrl).href)
    await database.open({
      query: { castBigIntToDouble: true, castDecimalToDouble: true },
      allowUnsignedExtensions: false,
    })
    const connection = await database.connect()
    for (const setting of [
      'SET autoload_known_extensions = false',
      'SET autoinstall_known_extensions = false',
      `SET custom_extension_repository = '${new URL('no-extensions', baseUrl).href}'`,
    ]) {
      await connection.query(setting)
    }
    return { database, connection }
  } catch (error) {
    worker.terminate()
    throw new FurlongError('engine-failed', { reason: (error as Error).message }, { cause: error })
  }
}
