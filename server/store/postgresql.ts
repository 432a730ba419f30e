import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { FurlongError } from '../../domain/errors.ts'
import type { Database, Parameter, Queries } from './database.ts'

const { INT8, NUMERIC, DATE, TIMESTAMPTZ } = pg.types.builtins

const PARSERS = new Map<number, (text: string) => unknown>([
  [INT8, Number],
  [NUMERIC, Number],
  [DATE, (text) => text],
  [TIMESTAMPTZ, (text) => new Date(text).toISOString()],
])

const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

function queriesOf(source: pg.PoolClient): Queries {
  return {
    rows: async <Row>(sql: string, parameters: readonly Parameter[] = []) => {
      const result = await source.query({ text: sql, values: [...parameters], types: TYPES })
      return result.rows as Row[]
    },
  }
}

/** Serialization failure, deadlock: the server undid the transaction and asks for another try. */
const RETRIED = new Set(['40001', '40P01'])
const MAX_ATTEMPTS = 12
/** Doubled at each attempt, up to the longest; half of it is chance, so that rivals do not meet again. */
const FIRST_WAIT_MS = 5
const LONGEST_WAIT_MS = 400
const CONNECT_TIMEOUT_MS = 5000
const PROBE_TIMEOUT_MS = 2000
const LOOKED_EVERY_MS = 500
/** Imports read files between their statements. */
const IDLE_TRANSACTION_MS = 300_000

/** The server is a standby, or was made one. Nothing of the statement was done. */
const isReadOnly = (error: unknown): boolean => (error as { code?: unknown }).code === '25006'

const isRetried = (error: unknown): boolean => RETRIED.has(String((error as { code?: unknown }).code))

/** Runs again what the server undid. Throws `busy` when others were quicker every time. */
async function retried<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (!isRetried(error)) throw error
      if (attempt >= MAX_ATTEMPTS) throw new FurlongError('busy', {}, { cause: error })
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1))
      await pause(wait * (0.5 + Math.random() / 2))
    }
  }
}

/** Uses a connection and gives it back; one that broke, or leads to a server that writes no more, is closed. */
async function withClient<Result>(
  client: pg.PoolClient,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  let broken: Error | undefined
  // The pool listens to idle connections only: one that breaks at work would end the process.
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
      // A connection that cannot even undo is broken, which its own event says.
      await client.query('rollback').catch((rollback: Error) => client.emit('error', rollback))
      throw error
    }
  })

/** How long a statement may run and wait for a lock, and a transaction be idle, in milliseconds; 0: for ever. */
export interface TimeLimits {
  statementMs: number
  lockMs: number
  idleMs: number
}

/** For readers who wait for an answer. */
export const SERVING_LIMITS: TimeLimits = { statementMs: 60_000, lockMs: 5000, idleMs: 60_000 }
const OPERATOR_LIMITS: TimeLimits = { statementMs: 0, lockMs: 0, idleMs: IDLE_TRANSACTION_MS }

const openPool = (url: string, limits: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    // A database that does not answer is told within seconds, and what it was asked for is not waited for by others.
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    ...limits,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  return pool
}

const unreachable = (error: unknown): FurlongError =>
  new FurlongError('database-unreachable', { reason: (error as Error).message }, { cause: error })

/** Whether a pooler such as PgBouncer refused a connection because of what it was to set for the whole session. */
const isPoolers = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('unsupported startup parameter')

/** Whether an address is a pooler's, which shares sessions between clients. Throws what else keeps it from answering. */
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

/** A pool whose connections keep the limits, and how a transaction begins there. Throws `database-unreachable`. */
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
  // Behind a pooler in transaction mode a session is shared: the limits go with each transaction.
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

/** Whether an address answers and takes writes. */
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

/** The pool of whichever of several addresses takes writes: the first one, until it fails and another one was promoted. */
class PrimaryPool {
  current: Limited
  private url: string
  private readonly urls: readonly string[]
  private readonly limits: TimeLimits
  private moving: Promise<boolean> | null = null
  private lookedAt = 0

  private constructor(current: Limited, url: string, urls: readonly string[], limits: TimeLimits) {
    this.current = current
    this.url = url
    this.urls = urls
    this.limits = limits
  }

  /** Throws `database-unreachable`. */
  static async open(urls: readonly string[], limits: TimeLimits): Promise<PrimaryPool> {
    let url = urls[0]!
    if (urls.length > 1) for (const each of urls.toReversed()) if (await isPrimary(each)) url = each
    return new PrimaryPool(await openLimited(url, limits), url, urls, limits)
  }

  /** A connection. Where none can be had, or only one that writes nothing, of the server that was promoted meanwhile. */
  async connect(): Promise<pg.PoolClient> {
    const { pool } = this.current
    try {
      return await pool.connect()
    } catch (error) {
      if (!(await this.moveFrom(pool))) throw error
      return this.current.pool.connect()
    }
  }

  /** Looks for the server that takes writes after one that did fails; answers whether there is another pool now. */
  moveFrom(pool: pg.Pool): Promise<boolean> {
    if (this.current.pool !== pool) return Promise.resolve(true)
    if (this.urls.length === 1) return Promise.resolve(false)
    // While nobody was promoted every request would ask.
    if (this.moving === null && Date.now() - this.lookedAt < LOOKED_EVERY_MS) return Promise.resolve(false)
    this.moving ??= this.move().finally(() => {
      this.lookedAt = Date.now()
      this.moving = null
    })
    return this.moving
  }

  private async move(): Promise<boolean> {
    // Where the one in use takes writes as before, only its connections were too few, and its pool goes on.
    for (const url of this.urls) {
      if (url === this.url || !(await isPrimary(url))) continue
      const before = this.current.pool
      this.current = await openLimited(url, this.limits)
      this.url = url
      // What is at work there ends as it may.
      void before.end().catch(() => {})
      return true
    }
    return false
  }
}

/**
 * Opens a pool on a PostgreSQL server (15 or newer), directly or through PgBouncer in transaction mode; there single
 * statements have the limits of the role. With a standby, requests go to that one as soon as it was promoted and the first
 * one answers no more. Throws `database-unreachable`.
 */
export async function openPostgresql(
  url: string,
  limits: TimeLimits = OPERATOR_LIMITS,
  standbyUrl?: string,
): Promise<Database> {
  const primary = await PrimaryPool.open(standbyUrl === undefined ? [url] : [url, standbyUrl], limits)
  /** Runs once more what a server refused because it writes nothing; anything else may have been done. */
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
