import { tableFromIPC } from 'apache-arrow'
import {
  CONSOLE_TIME_MS,
  type ConsoleAnswer,
  type ConsoleApi,
  type NamedStatement,
} from '../../analytics/console-api.ts'
import type { OpenedDataset, OpenRequest, Reply } from '../../analytics/engine-api.ts'
import { OWN_TABLE } from '../../analytics/own-api.ts'
import { asFurlongError, FurlongError } from '../../domain/errors.ts'
import { openAlone } from '../engine/dataset.ts'
import type { DuckDb } from '../engine/duckdb.ts'
import { runShortSql, runSql, type Interrupt } from '../engine/run-sql.ts'
import { moving, reply } from '../channel/reply.ts'
import { answerOf } from './answer.ts'
import { asColumns, asCount, asPlan, linesBefore, readableReason, statementOf } from './statement.ts'

/** From here on only attached data can be read, and these settings cannot be changed back. */
const LOCKED = ['SET enable_external_access = false', 'SET lock_configuration = true']

const OWN_FILE = 'own.duckdb'

const readable =
  (sql: string, named: readonly NamedStatement[]) =>
  (reason: string): string =>
    readableReason(reason, sql, linesBefore(named))

/** Implements the user's SQL console in the worker: one statement at a time. */
export class Console implements ConsoleApi {
  private duckdb: DuckDb | null = null
  private running: Interrupt | null = null

  open(
    request: OpenRequest,
    own: Uint8Array<ArrayBuffer> | null,
  ): Promise<Reply<{ dataset: OpenedDataset }>> {
    return reply(async () => {
      const { duckdb, opened } = await openAlone(request)
      if (own !== null) {
        await duckdb.database.registerFileBuffer(OWN_FILE, own)
        await runShortSql(duckdb, `ATTACH '${OWN_FILE}' AS own_file (READ_ONLY)`)
        await runShortSql(duckdb, `CREATE VIEW ${OWN_TABLE} AS FROM own_file.${OWN_TABLE}`)
      }
      for (const statement of LOCKED) await runShortSql(duckdb, statement)
      this.duckdb = duckdb
      return { dataset: opened }
    })
  }

  async query(sql: string, named: readonly NamedStatement[]): Promise<Reply<{ answer: ConsoleAnswer }>> {
    const response = await reply(
      async () => {
        const started = performance.now()
        const run = {
          short: (statement: string) => this.runShort(statement),
          long: (statement: string) => this.run(statement),
        }
        const answer = await answerOf(statementOf(sql), run, await this.checked(named))
        return { answer: { ...answer, milliseconds: performance.now() - started } }
      },
      readable(sql, named),
    )
    return moving(response, ({ answer }) => answer.bytes)
  }

  count(sql: string, named: readonly NamedStatement[]): Promise<Reply<{ rows: number }>> {
    return reply(
      async () => {
        const table = tableFromIPC(await this.run(asCount(statementOf(sql), await this.checked(named))))
        return { rows: Number(table.get(0)!['rows']) }
      },
      readable(sql, named),
    )
  }

  explain(sql: string, named: readonly NamedStatement[]): Promise<Reply<{ plan: string }>> {
    return reply(
      async () => {
        const table = tableFromIPC(await this.runShort(asPlan(statementOf(sql), await this.checked(named))))
        return { plan: String(table.get(0)!['explain_value']) }
      },
      readable(sql, named),
    )
  }

  async cancel(): Promise<void> {
    if (this.running) this.running.cancelled = true
  }

  /**
   * Prepares a statement, which refuses several at once, and runs it until it ends,
   * is cancelled or times out.
   */
  private async run(sql: string): Promise<Uint8Array<ArrayBuffer>> {
    const duckdb = this.started()
    await this.check(sql)
    const interrupt = { cancelled: false, late: false }
    this.running = interrupt
    const timer = setTimeout(() => {
      interrupt.late = true
      interrupt.cancelled = true
    }, CONSOLE_TIME_MS)
    try {
      return await runSql(duckdb, sql, interrupt)
    } catch (error) {
      if (interrupt.late) throw new FurlongError('query-timeout')
      throw error
    } finally {
      clearTimeout(timer)
      this.running = null
    }
  }

  /** The named statements without what follows them. Throws `query-failed` with the name `of` the first that has an error. */
  private async checked(named: readonly NamedStatement[]): Promise<NamedStatement[]> {
    const good: NamedStatement[] = []
    for (const { name, sql } of named) {
      try {
        const statement = statementOf(sql)
        await this.check(asColumns(statement, good))
        good.push({ name, sql: statement })
      } catch (error) {
        const { code, details } = asFurlongError(error)
        const reason = readableReason(String(details['reason'] ?? ''), sql, linesBefore(good))
        throw new FurlongError(code, { ...details, reason, of: name }, { cause: error })
      }
    }
    return good
  }

  private async runShort(sql: string): Promise<Uint8Array> {
    await this.check(sql)
    return runShortSql(this.started(), sql)
  }

  private async check(sql: string): Promise<void> {
    const duckdb = this.started()
    try {
      await (await duckdb.connection.prepare(sql)).close()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new FurlongError('query-failed', { reason }, { cause: error })
    }
  }

  private started(): DuckDb {
    if (this.duckdb === null) throw new FurlongError('query-failed', { reason: 'the console is not open' })
    return this.duckdb
  }
}
