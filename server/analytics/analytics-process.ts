import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { materializeSteps, openStatements } from '../../analytics/open.ts'
import { encodeAnswer, type AnswerColumn } from './encode.ts'
import type { AnalyticsCall, AnalyticsReply, OpenFiles } from './protocol.ts'

/**
 * Runs compiled queries on dataset files with native DuckDB, in a separate process: a query that takes too
 * much memory or time does not affect the server process. File sets stay open; the least recently used are
 * closed first.
 */
const MAX_OPEN = 6
const MEMORY_LIMIT = '768MiB'
const QUERY_TIMEOUT_MS = 15_000
const MAX_ROWS = 20_000

interface Opened {
  instance: DuckDBInstance
  connection: DuckDBConnection
}

/** File sets by key, least recently used first. */
const opened = new Map<string, { group: string | null; set: Promise<Opened> }>()

function close(key: string): void {
  const old = opened.get(key)
  opened.delete(key)
  void old?.set.then(
    ({ connection, instance }) => {
      connection.closeSync()
      instance.closeSync()
    },
    () => undefined,
  )
}

async function open({ files }: OpenFiles): Promise<Opened> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: MEMORY_LIMIT })
  try {
    return { instance, connection: await connected(instance, files) }
  } catch (error) {
    instance.closeSync()
    throw error
  }
}

async function connected(instance: DuckDBInstance, files: OpenFiles['files']): Promise<DuckDBConnection> {
  const connection = await instance.connect()
  for (const { path, alias } of files)
    await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS ${alias} (READ_ONLY)`)
  for (const statement of [...openStatements(files), ...materializeSteps(files).flat()])
    await connection.run(statement)
  // Queries are compiled from a model; even otherwise, they could not read or write anything else.
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
  return connection
}

async function openedOf(files: OpenFiles): Promise<Opened> {
  const known = opened.get(files.key)
  if (known) {
    opened.delete(files.key)
    opened.set(files.key, known)
    return known.set
  }
  if (files.group !== null) for (const [key, { group }] of opened) if (group === files.group) close(key)
  const set = open(files)
  opened.set(files.key, { group: files.group, set })
  set.catch(() => opened.delete(files.key))
  for (const key of opened.keys()) {
    if (opened.size <= MAX_OPEN) break
    close(key)
  }
  return set
}

async function answer({ id, open: files, sql, columns, format }: AnalyticsCall): Promise<AnalyticsReply> {
  const { connection } = await openedOf(files)
  const started = performance.now()
  if (sql === null) return { id, ok: true, bytes: new Uint8Array(0), rows: 0, milliseconds: 0 }
  let late = false
  const timer = setTimeout(() => {
    late = true
    connection.interrupt()
  }, QUERY_TIMEOUT_MS)
  try {
    const reader = await connection.runAndReadUntil(sql, MAX_ROWS + 1)
    if (reader.currentRowCount > MAX_ROWS)
      return { id, ok: false, code: 'too-large', reason: `more than ${MAX_ROWS} rows` }
    const values = reader.getColumnsJS() as AnswerColumn[]
    const milliseconds = performance.now() - started
    const bytes = encodeAnswer(columns, values, reader.currentRowCount, format)
    return { id, ok: true, bytes, rows: reader.currentRowCount, milliseconds }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const code = late ? 'query-timeout' : /out of memory/i.test(reason) ? 'out-of-memory' : 'query-failed'
    return { id, ok: false, code, reason }
  } finally {
    clearTimeout(timer)
  }
}

/** One query at a time: queries on a set share a connection, and the machine has few cores. */
let last: Promise<unknown> = Promise.resolve()

process.on('message', (call: AnalyticsCall) => {
  last = last
    .then(() => answer(call))
    .catch((error: unknown): AnalyticsReply => ({
      id: call.id,
      ok: false,
      code: 'query-failed',
      reason: error instanceof Error ? error.message : String(error),
    }))
    .then((reply) => process.send!(reply))
})
// The server exited without ending this process.
process.on('disconnect', () => process.exit(0))
