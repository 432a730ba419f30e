import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { materializeSteps, openStatements, totalsSteps } from '../../analytics/open.ts'
import { isOutOfMemory } from '../../analytics/out-of-memory.ts'
import { encodeAnswer, type AnswerColumn } from './encode.ts'
import {
  OPEN_SETS,
  type AnalyticsCall,
  type AnalyticsMessage,
  type AnalyticsReply,
  type AnalyticsSetup,
  type OpenFiles,
} from './protocol.ts'

/**
 * Runs compiled queries on dataset files with native DuckDB, in a separate process: a query that takes too
 * much memory or time does not affect the server process. File sets stay open; the least recently used are
 * closed first, once nothing runs on them.
 */
const SETUP = JSON.parse(process.argv[2]!) as AnalyticsSetup

/** An open set. Each query that runs on it has a connection of its own. */
interface Opened {
  instance: DuckDBInstance
  idle: DuckDBConnection[]
}

interface OpenSet {
  group: string | null
  set: Promise<Opened>
  /** Queries that run on it. */
  users: number
  isClosed: boolean
}

/** File sets by key, least recently used first. */
const opened = new Map<string, OpenSet>()

function closeInstance({ idle, instance }: Opened): void {
  for (const connection of idle) connection.closeSync()
  instance.closeSync()
}

/** Forgets a set, and closes it as soon as nothing runs on it. */
function close(key: string, one: OpenSet): void {
  opened.delete(key)
  one.isClosed = true
  closeUnused(one)
}

function closeUnused({ isClosed, users, set }: OpenSet): void {
  if (isClosed && users === 0) void set.then(closeInstance, () => undefined)
}

let created = 0

async function open({ files, totalsOnly }: OpenFiles): Promise<Opened> {
  created += 1
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: `${SETUP.memoryMib}MiB`,
    // Instances that share a folder overwrite each other's files, and then answer with wrong figures.
    temp_directory: join(SETUP.spillFolder, String(created)),
  })
  const connection = await instance.connect()
  const made = { instance, idle: [connection] }
  try {
    await prepare(connection, files, totalsOnly)
    return made
  } catch (error) {
    closeInstance(made)
    throw error
  }
}

async function prepare(
  connection: DuckDBConnection,
  files: OpenFiles['files'],
  totalsOnly: boolean,
): Promise<void> {
  for (const { path, alias } of files)
    await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS ${alias} (READ_ONLY)`)
  for (const statement of [
    ...openStatements(files),
    ...(totalsOnly ? totalsSteps(files) : materializeSteps(files)).flatMap(({ statements }) => statements),
  ])
    await connection.run(statement)
  // Queries are compiled from a model; even otherwise, they could not read or write anything else.
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
}

function setOf(files: OpenFiles): OpenSet {
  const known = opened.get(files.key)
  if (known) {
    opened.delete(files.key)
    opened.set(files.key, known)
    return known
  }
  if (files.group !== null) for (const [key, one] of opened) if (one.group === files.group) close(key, one)
  const made: OpenSet = { group: files.group, set: open(files), users: 0, isClosed: false }
  opened.set(files.key, made)
  made.set.catch(() => {
    if (opened.get(files.key) === made) opened.delete(files.key)
  })
  for (const [key, one] of opened) {
    if (opened.size <= OPEN_SETS) break
    close(key, one)
  }
  return made
}

/** A call until its reply. */
interface Running {
  /** Why it is ended; a query that has not begun by then is not begun. */
  stopped: 'server-timeout' | 'query-cancelled' | null
  /** Where its query runs. */
  connection: DuckDBConnection | null
}

/** Calls by their ids. */
const running = new Map<number, Running>()

function stop(one: Running, why: NonNullable<Running['stopped']>): void {
  one.stopped ??= why
  one.connection?.interrupt()
}

async function answer(call: AnalyticsCall): Promise<AnalyticsReply> {
  const mine: Running = { stopped: null, connection: null }
  running.set(call.id, mine)
  const used = setOf(call.open)
  used.users += 1
  try {
    const set = await used.set
    if (call.sql === null)
      return { id: call.id, ok: true, bytes: new Uint8Array(0), rows: 0, milliseconds: 0 }
    const connection = set.idle.pop() ?? (await set.instance.connect())
    try {
      return await query(connection, mine, call, call.sql)
    } finally {
      set.idle.push(connection)
    }
  } finally {
    running.delete(call.id)
    used.users -= 1
    closeUnused(used)
  }
}

async function query(
  connection: DuckDBConnection,
  mine: Running,
  { id, columns, format, limits }: AnalyticsCall,
  sql: string,
): Promise<AnalyticsReply> {
  if (mine.stopped !== null) return { id, ok: false, code: mine.stopped, details: {} }
  const started = performance.now()
  const timer = setTimeout(() => stop(mine, 'server-timeout'), limits.seconds * 1000)
  mine.connection = connection
  try {
    const reader = await connection.runAndReadUntil(sql, limits.rows + 1)
    if (reader.currentRowCount > limits.rows)
      return { id, ok: false, code: 'too-many-rows', details: { limit: limits.rows } }
    const values = reader.getColumnsJS() as AnswerColumn[]
    const milliseconds = performance.now() - started
    const bytes = encodeAnswer(columns, values, reader.currentRowCount, format)
    return { id, ok: true, bytes, rows: reader.currentRowCount, milliseconds }
  } catch (error) {
    if (mine.stopped !== null)
      return { id, ok: false, code: mine.stopped, details: { limit: limits.seconds } }
    throw error
  } finally {
    clearTimeout(timer)
    mine.connection = null
  }
}

/** The reply for an error of the database, thrown when files are opened or when they are queried. */
function failure(id: number, error: unknown): AnalyticsReply {
  const reason = error instanceof Error ? error.message : String(error)
  const code = isOutOfMemory(reason) ? 'server-memory' : 'query-failed'
  return { id, ok: false, code, details: { reason } }
}

process.on('message', (message: AnalyticsMessage) => {
  if ('cancel' in message) {
    const cancelled = running.get(message.cancel)
    if (cancelled) stop(cancelled, 'query-cancelled')
    return
  }
  void answer(message)
    .catch((error: unknown) => failure(message.id, error))
    .then((reply) => process.send!(reply))
})
// The server exited without ending this process.
process.on('disconnect', () => {
  rmSync(SETUP.spillFolder, { recursive: true, force: true })
  process.exit(0)
})
