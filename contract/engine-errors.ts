/** Version of the engine that runs in browsers: that of `@duckdb/duckdb-wasm` in package.json. */
export const ENGINE_VERSION = '1.32.0'

/** What can go wrong with the engine in a browser. Error codes only: messages may quote what a reader typed. */
export const ENGINE_ERROR_CODES = [
  'engine-unsupported',
  'engine-failed',
  'engine-lost',
  'query-failed',
  'query-timeout',
  'out-of-memory',
  'dataset-corrupt',
  'dataset-version',
  'dataset-unavailable',
] as const
