import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { FurlongError } from '../../domain/errors.ts'
import type { Database, Queries } from './database.ts'
import { diskError } from './disk-error.ts'
import { CELL_PARSERS, queriesOver } from './named-rows.ts'

const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    CELL_PARSERS[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

const queriesOf = (source: pg.PoolClient): Queries =>
  queriesOver((text, values) => source.query<unknown[]>({ text, values, types: TYPES, rowMode: 'array' }))

/** Serialization failure and deadlock: the server rolled back the transaction and it may be retried. */
const RETRIED = new Set(['40001', '40P01'])
const MAX_ATTEMPTS = 12
/**
 * The wait doubles with each attempt, up to the maximum; half of it is random, so that competing transactions
 * do not collide again.
 */
const FIRST_WAIT_MS = 5
const LONGEST_WAIT_MS = 400
const CONNECT_TIMEOUT_MS = 5000
const PROBE_TIMEOUT_MS = 2000
const POLL_EVERY_MS = 500
/** Imports read files between their statements, so a transaction may be idle for longer. */
const IDLE_TRANSACTION_MS = 300_000

/** The server is a standby or has become one. The statement had no effect. */
const isReadOnly = (error: unknown): boolean => (error as { code?: unknown }).code === '25006'

const isRetried = (error: unknown): boolean => RETRIED.has(String((error as { code?: unknown }).code))

/** Retries what the server rolled back. Throws `busy` after `MAX_ATTEMPTS` conflicts, and `disk-full`. */
async function retried<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (!isRetried(error)) throw diskError(error, 'PostgreSQL')
      if (attempt >= MAX_ATTEMPTS) throw new FurlongError('busy', {}, { cause: error })
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1))
      await pause(wait * (0.5 + Math.random() / 2))
    }
  }
}

/** Runs `work` with a connection and releases it; a broken or read-only connection is closed. */
async function withClient<Result>(
  client: pg.PoolClient,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  let broken: Error | undefined
  // The pool only listens to idle connections: an error on a connection in use would end the process.
  const onError = (error: Error): void => {
    broken = error
  }
  client.on('error', onError)
  try {
    return await work(client)
  } catch (error) {
    if (isReadOnly(error)) broken = error as Error
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

const runTransaction = <Result>(
  client: pg.PoolClient,
  begin: string,
  work: (transaction: Queries) => Promise<Result>,
): Promise<Result> =>
  withClient(client, async () => {
    try {
      await client.query(begin)
      const result = await work(queriesOf(client))
      await client.query('commit')
      return result
    } catch (error) {
      // If the rollback fails too, the connection is broken and must be closed.
      await client.query('rollback').catch((rollback: Error) => client.emit('error', rollback))
      throw error
    }
  })

/** Maximum time of a statement, a lock wait and an idle transaction, in milliseconds; 0: unlimited. */
export interface TimeLimits {
  statementMs: number
  lockMs: number
  idleMs: number
}

/** Limits for requests, whose clients wait for a response. */
export const SERVING_LIMITS: TimeLimits = { statementMs: 60_000, lockMs: 5000, idleMs: 60_000 }
const OPERATOR_LIMITS: TimeLimits = { statementMs: 0, lockMs: 0, idleMs: IDLE_TRANSACTION_MS }

const openPool = (url: string, limits: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    // An unreachable database is reported within seconds, so that requests do not queue up.
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    ...limits,
  })
  // The pool replaces an idle connection that breaks; without a listener the error would end the process.
  pool.on('error', () => {})
  return pool
}

const unreachable = (error: unknown): FurlongError =>
  new FurlongError('database-unreachable', { reason: (error as Error).message }, { cause: error })

/** Whether a pooler such as PgBouncer rejected a connection because of its session settings. */
const isPoolers = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('unsupported startup parameter')

/**
 * Whether a URL is that of a pooler, which shares sessions between clients. Throws `database-unreachable` on
 * other connection errors.
 */
export async function isBehindPooler(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, statement_timeout: 1000 })
  try {
    await client.connect()
    return false
  } catch (error) {
    if (isPoolers(error)) return true
    throw unreachable(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * A pool whose connections apply the limits, and the SQL that begins a transaction. Throws
 * `database-unreachable`.
 */
async function openLimited(
  url: string,
  { statementMs, lockMs, idleMs }: TimeLimits,
): Promise<{ pool: pg.Pool; begin: string }> {
  const pool = openPool(url, {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
  })
  try {
    await pool.query('select 1')
    return { pool, begin: 'begin' }
  } catch (error) {
    await pool.end()
    if (!isPoolers(error)) throw unreachable(error)
  }
  // A pooler in transaction mode shares sessions, so the limits are set in each transaction.
  const shared = openPool(url, {})
  const begin = `begin; set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs};
    set local idle_in_transaction_session_timeout = ${idleMs}`
  try {
    await shared.query('select 1')
    return { pool: shared, begin }
  } catch (error) {
    await shared.end()
    throw unreachable(error)
  }
}

/** Whether a server responds and accepts writes. */
async function isPrimary(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  })
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    return rows[0]?.standby === false
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

type Limited = Awaited<ReturnType<typeof openLimited>>

/** The pool of the server that accepts writes: the first, until it fails and another is promoted. */
class PrimaryPool {
  current: Limited
  private url: string
  private readonly urls: readonly string[]
  private readonly limits: TimeLimits
  private moving: Promise<boolean> | null = null
  private probedAt = 0

  private constructor(current: Limited, url: string, urls: readonly string[], limits: TimeLimits) {
    this.current = current
    this.url = url
    this.urls = urls
    this.limits = limits
  }

  /** Connects to the server that accepts writes. Throws `database-unreachable`. */
  static async open(urls: readonly string[], limits: TimeLimits): Promise<PrimaryPool> {
    let url = urls[0]!
    if (urls.length > 1) for (const each of urls.toReversed()) if (await isPrimary(each)) url = each
    return new PrimaryPool(await openLimited(url, limits), url, urls, limits)
  }

  /** A connection. If the current server gives none, connects to the server that was promoted meanwhile. */
  async connect(): Promise<pg.PoolClient> {
    const { pool } = this.current
    try {
      return await pool.connect()
    } catch (error) {
      if (!(await this.moveFrom(pool))) throw error
      return this.current.pool.connect()
    }
  }

  /**
   * Looks for another server that accepts writes after the one of `pool` failed. Returns whether there is a
   * new pool.
   */
  moveFrom(pool: pg.Pool): Promise<boolean> {
    if (this.current.pool !== pool) return Promise.resolve(true)
    if (this.urls.length === 1) return Promise.resolve(false)
    // Until a server is promoted, not every request may probe again.
    if (this.moving === null && Date.now() - this.probedAt < POLL_EVERY_MS) return Promise.resolve(false)
    this.moving ??= this.move().finally(() => {
      this.probedAt = Date.now()
      this.moving = null
    })
    return this.moving
  }

  private async move(): Promise<boolean> {
    // The current server is skipped: if it accepts writes, only its pool was exhausted, and it stays.
    for (const url of this.urls) {
      if (url === this.url || !(await isPrimary(url))) continue
      const before = this.current.pool
      this.current = await openLimited(url, this.limits)
      this.url = url
      // Requests in progress on the old pool may still finish.
      void before.end().catch(() => {})
      return true
    }
    return false
  }
}

/**
 * Opens a connection pool to PostgreSQL (15 or newer), directly or through PgBouncer in transaction mode;
 * behind PgBouncer, single statements have only the limits of the role. With a standby, requests move to it
 * once it is promoted and the first server no longer responds. Throws `database-unreachable`.
 */
export async function openPostgresql(
  url: string,
  limits: TimeLimits = OPERATOR_LIMITS,
  standbyUrl?: string,
): Promise<Database> {
  const primary = await PrimaryPool.open(standbyUrl === undefined ? [url] : [url, standbyUrl], limits)
  /** Retries once what a read-only server refused; after other errors the work may have taken effect. */
  const written = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const { pool } = primary.current
    try {
      return await run()
    } catch (error) {
      if (!isReadOnly(error) || !(await primary.moveFrom(pool))) throw error
      return run()
    }
  }
  return {
    kind: 'postgresql',
    rows: (sql, parameters) =>
      retried(() =>
        written(async () =>
          withClient(await primary.connect(), (client) => queriesOf(client).rows(sql, parameters)),
        ),
      ),
    transaction: (work) =>
      retried(() =>
        written(async () => {
          const client = await primary.connect()
          return runTransaction(client, primary.current.begin, work)
        }),
      ),
    script: async (sql) => void (await withClient(await primary.connect(), (client) => client.query(sql))),
    close: () => primary.current.pool.end(),
    connections: () => {
      const { totalCount, idleCount, waitingCount } = primary.current.pool
      return { open: totalCount, idle: idleCount, waiting: waitingCount }
    },
  }
}
