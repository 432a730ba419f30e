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
const MOST_ATTEMPTS = 5
const CONNECT_TIMEOUT_MS = 5000
/** Imports read files between their statements. */
const IDLE_TRANSACTION_MS = 300_000

async function runTransaction<Result>(
  pool: pg.Pool,
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
    await client.query('begin')
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

/** Opens a pool on a PostgreSQL server (15 or newer). Throws `database-unreachable`. */
export async function openPostgresql(
  url: string,
  { statementMs, lockMs, idleMs }: TimeLimits = OPERATOR_LIMITS,
): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    // A database that does not answer is told within seconds, and what it was asked for is not waited for by others.
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
    keepAlive: true,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  try {
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    throw new FurlongError('database-unreachable', { reason: (error as Error).message }, { cause: error })
  }
  return {
    kind: 'postgresql',
    ...queriesOf(pool),
    transaction: async (work) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await runTransaction(pool, work)
        } catch (error) {
          if (attempt >= MOST_ATTEMPTS || !RETRIED.has(String((error as { code?: unknown }).code)))
            throw error
        }
      }
    },
    script: async (sql) => void (await pool.query(sql)),
    close: () => pool.end(),
  }
}
