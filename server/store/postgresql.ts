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

function queriesOf(source: pg.Pool | pg.PoolClient): Queries {
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
/** Imports read files between their statements. */
const IDLE_TRANSACTION_MS = 300_000

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

async function runTransaction<Result>(
  pool: pg.Pool,
  begin: string,
  work: (transaction: Queries) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  // The pool listens to idle connections only: one that breaks at work would end the process.
  const onError = (error: Error): void => {
    broken = error
  }
  client.on('error', onError)
  try {
    await client.query(begin)
    const result = await work(queriesOf(client))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((rollback: Error) => (broken = rollback))
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

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

/**
 * Opens a pool on a PostgreSQL server (15 or newer), directly or through PgBouncer in transaction mode; there single
 * statements have the limits of the role. Throws `database-unreachable`.
 */
export async function openPostgresql(url: string, limits: TimeLimits = OPERATOR_LIMITS): Promise<Database> {
  const { pool, begin } = await openLimited(url, limits)
  return {
    kind: 'postgresql',
    rows: (sql, parameters) => retried(() => queriesOf(pool).rows(sql, parameters)),
    transaction: (work) => retried(() => runTransaction(pool, begin, work)),
    script: async (sql) => void (await pool.query(sql)),
    close: () => pool.end(),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  }
}
