import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { materializeSteps, openStatements } from '../../analytics/open.ts'
import { isOutOfMemory } from '../../analytics/out-of-memory.ts'
import { encodeAnswer, type AnswerColumn } from './encode.ts'
import type { AnalyticsCall, AnalyticsReply, AnalyticsSetup, OpenFiles } from './protocol.ts'

/**
 * Runs compiled queries on dataset files with native DuckDB, in a separate process: a query that takes too
 * much memory or time does not affect the server process. File sets stay open; the least recently used are
 * closed first.
 */
const MAX_OPEN = 6
const SETUP = JSON.parse(process.argv[2]!) as AnalyticsSetup

interface Opened {
  instance: DuckDBInstance
  connection: DuckDBConnection
}

/** File sets by key, least recently used first. */
const opened = new Map<string, { group: string | null; set: Promise<Opened> }>()

function closeSet({ connection, instance }: Opened): void {
  connection.closeSync()
  instance.closeSync()
}

function close(key: string): void {
  void opened.get(key)?.set.then(closeSet, () => undefined)
  opened.delete(key)
}

let created = 0

async function open({ files }: OpenFiles): Promise<Opened> {
  created += 1
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: `${SETUP.memoryMib}MiB`,
    // Instances that share a folder overwrite each other's files, and then answer with wrong figures.
    temp_directory: join(SETUP.spillFolder, String(created)),
  })
  const connection = await instance.connect()
  try {
    await prepare(connection, files)
    return { instance, connection }
  } catch (error) {
    closeSet({ connection, instance })
    throw error
  }
}

async function prepare(connection: DuckDBConnection, files: OpenFiles['files']): Promise<void> {
  for (const { path, alias } of files)
    await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS ${alias} (READ_ONLY)`)
  for (const statement of [...openStatements(files), ...materializeSteps(files).flat()])
    await connection.run(statement)
  // Queries are compiled from a model; even otherwise, they could not read or write anything else.
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
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
  }, SETUP.seconds * 1000)
  try {
    const reader = await connection.runAndReadUntil(sql, SETUP.rows + 1)
    if (reader.currentRowCount > SETUP.rows)
      return { id, ok: false, code: 'too-many-rows', details: { limit: SETUP.rows } }
    const values = reader.getColumnsJS() as AnswerColumn[]
    const milliseconds = performance.now() - started
    const bytes = encodeAnswer(columns, values, reader.currentRowCount, format)
    return { id, ok: true, bytes, rows: reader.currentRowCount, milliseconds }
  } catch (error) {
    if (late) return { id, ok: false, code: 'server-timeout', details: { limit: SETUP.seconds } }
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The reply for an error of the database, thrown when files are opened or when they are queried. */
function failure(id: number, error: unknown): AnalyticsReply {
  const reason = error instanceof Error ? error.message : String(error)
  const code = isOutOfMemory(reason) ? 'server-memory' : 'query-failed'
  return { id, ok: false, code, details: { reason } }
}

/** One query at a time: queries on a set share a connection, and the machine has few cores. */
let last: Promise<unknown> = Promise.resolve()

process.on('message', (call: AnalyticsCall) => {
  last = last
    .then(() => answer(call))
    .catch((error: unknown) => failure(call.id, error))
    .then((reply) => process.send!(reply))
})
// The server exited without ending this process.
process.on('disconnect', () => {
  rmSync(SETUP.spillFolder, { recursive: true, force: true })
  process.exit(0)
})
