import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import type { Database } from '../../server/db/database.ts'

const CODES = ['40001', '40P01'] as const
type Code = (typeof CODES)[number]
type Place = 'single' | 'statement' | 'commit'

/** A statement that the server answers with the error, after which the transaction is aborted like after a real one. */
const raising = (code: Code): string =>
  `do $$ begin raise exception using errcode = '${code}', message = 'injected'; end $$`

type Query = (this: pg.Client, ...args: unknown[]) => unknown
interface Attempt {
  /** The statement of the transaction that fails, counted from 1; 'commit'; or `null` if all of them succeed. */
  failsAt: number | 'commit' | null
  statements: number
}

/** One call of the service, which its database may attempt several times. */
interface Operation {
  failures: number
}
/** Less than the service attempts, so that every operation succeeds in the end. */
const MAX_FAILURES = 6

/**
 * Makes PostgreSQL fail operations of the wrapped databases with serialization failures (40001) and deadlocks (40P01):
 * of three transactions one fails at one of its first statements, one at its commit, and one succeeds. Of three
 * statements outside a transaction one fails. The server itself raises each error, so that it also aborts the
 * transaction.
 */
export class Conflicts {
  /** Number of errors raised, by place and code, such as `commit 40001`. */
  readonly raised = new Map<string, number>()
  /** Makes every attempt fail at its commit, without end. */
  always = false
  private readonly original: Query
  private readonly attempts = new WeakMap<pg.Client, Attempt>()
  private readonly operation = new AsyncLocalStorage<Operation>()
  private begun = 0
  private singles = 0
  private count = 0

  private constructor() {
    const prototype = pg.Client.prototype as unknown as { query: Query }
    const { query: original } = prototype
    const insteadOf = (client: pg.Client, query: unknown): string | null => this.next(client, query)
    this.original = original
    prototype.query = function query(...args) {
      const failing = insteadOf(this, args[0])
      return original.apply(this, failing === null ? args : [failing, ...args.slice(1)])
    }
  }

  static start(): Conflicts {
    return new Conflicts()
  }

  /** The same database with failing operations. */
  of(database: Database): Database {
    return {
      ...database,
      rows: (sql, parameters) => this.operation.run({ failures: 0 }, () => database.rows(sql, parameters)),
      transaction: (work) => this.operation.run({ failures: 0 }, () => database.transaction(work)),
    }
  }

  stop(): void {
    ;(pg.Client.prototype as unknown as { query: Query }).query = this.original
  }

  /** The statement to send instead of this one; `null` to send it unchanged. */
  private next(client: pg.Client, query: unknown): string | null {
    if (query === 'rollback') this.attempts.delete(client)
    const operation = this.operation.getStore()
    if (operation === undefined || (operation.failures >= MAX_FAILURES && !this.always)) return null
    const failing = this.failing(client, query)
    if (failing !== null) operation.failures += 1
    return failing
  }

  private failing(client: pg.Client, query: unknown): string | null {
    if (typeof query === 'string' && query.startsWith('begin')) {
      this.begun += 1
      const place = this.always ? 1 : this.begun % 3
      // The statement that fails moves from the first to the eleventh.
      const failsAt = place === 0 ? (Math.floor(this.begun / 3) % 11) + 1 : place === 1 ? 'commit' : null
      this.attempts.set(client, { failsAt, statements: 0 })
      return null
    }
    const attempt = this.attempts.get(client)
    if (query === 'commit') {
      this.attempts.delete(client)
      return attempt?.failsAt === 'commit' ? this.raise('commit') : null
    }
    // Only statements of the service have a text and parameters; those of the pool itself are strings.
    if (typeof query !== 'object') return null
    if (attempt === undefined) {
      this.singles += 1
      return this.singles % 3 === 0 ? this.raise('single') : null
    }
    attempt.statements += 1
    return attempt.statements === attempt.failsAt ? this.raise('statement') : null
  }

  private raise(place: Place): string {
    const code = CODES[this.count % CODES.length]!
    this.count += 1
    const key = `${place} ${code}`
    this.raised.set(key, (this.raised.get(key) ?? 0) + 1)
    return raising(code)
  }
}
