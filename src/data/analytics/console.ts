import type { Remote } from 'comlink'
import { CONSOLE_TIME_MS, type ConsoleApi, type NamedStatement } from '../../../analytics/console-api.ts'
import type { OpenedDataset, OpenRequest, Reply } from '../../../analytics/engine-api.ts'
import { asFurlongError, FurlongError } from '../../../domain/errors.ts'
import { readConsoleRows, type ConsoleRows } from './console-rows.ts'
import { openChannel, type WorkerChannel } from './worker-channel.ts'

/** A statement that does not stop within this time is terminated together with its engine. */
const STOP_MS = 400

interface Running extends WorkerChannel<ConsoleApi> {
  opened: Promise<OpenedDataset>
}

let made = 0

/**
 * The console's engine: started when the console is opened, and again after a statement
 * that could not be cancelled.
 */
export class ConsoleConnection {
  /** Distinguishes this connection from earlier ones. */
  readonly number: number
  private readonly request: OpenRequest
  private readonly own: Uint8Array<ArrayBuffer> | null
  private running: Running | null = null
  private last: Promise<unknown> = Promise.resolve()
  private closed = false
  private cancels = 0
  /** The pending call. */
  private call: symbol | null = null

  /** `own`: the user's own rows as a DuckDB database. */
  constructor(request: OpenRequest, own: Uint8Array<ArrayBuffer> | null) {
    made += 1
    this.number = made
    this.request = request
    this.own = own
  }

  /** Starts the engine and opens the files. Rejects with the reason if that fails. */
  open(): Promise<OpenedDataset> {
    return this.current().opened
  }

  /**
   * Runs one statement, which reads the rows of others by their names (`named`). Throws `query-failed` with the engine's
   * message, `query-cancelled`, `query-timeout`, `out-of-memory`.
   */
  async query(sql: string, named: readonly NamedStatement[] = []): Promise<ConsoleRows> {
    const { answer } = await this.ask((api) => api.query(sql, named))
    return readConsoleRows(answer)
  }

  async count(sql: string, named: readonly NamedStatement[] = []): Promise<number> {
    return (await this.ask((api) => api.count(sql, named))).rows
  }

  async explain(sql: string, named: readonly NamedStatement[] = []): Promise<string> {
    return (await this.ask((api) => api.explain(sql, named))).plan
  }

  /**
   * Cancels the running statement. If it does not react, its engine is terminated, and the next
   * statement starts another.
   */
  cancel(): void {
    this.cancels += 1
    const { running, call } = this
    if (running === null || call === null) return
    void running.api.cancel()
    setTimeout(() => {
      if (this.call === call && this.running === running) this.end()
    }, STOP_MS)
  }

  /** Terminates the engine for good; later calls are rejected. */
  close(): void {
    this.closed = true
    this.end()
  }

  private end(reason = new FurlongError('query-cancelled')): void {
    this.running?.end(reason)
    this.running = null
  }

  /** Runs statements one after another, because a connection handles one at a time. */
  private ask<Value extends object>(
    work: (api: Remote<ConsoleApi>) => Promise<Reply<Value>>,
  ): Promise<Value> {
    const { cancels } = this
    const answer = this.last.then(() => {
      // Statements that were queued when the user cancelled are not started.
      if (this.cancels !== cancels || this.closed) throw new FurlongError('query-cancelled')
      return this.askNow(work)
    })
    this.last = answer.catch(() => undefined)
    return answer
  }

  private async askNow<Value extends object>(
    work: (api: Remote<ConsoleApi>) => Promise<Reply<Value>>,
  ): Promise<Value> {
    const mine = this.current()
    const call = Symbol('call')
    this.call = call
    let late: ReturnType<typeof setTimeout> | undefined
    try {
      await mine.opened
      // If the worker does not enforce its own time limit, it is terminated from here.
      late = setTimeout(() => {
        if (this.running === mine) this.end(new FurlongError('query-timeout'))
      }, CONSOLE_TIME_MS + STOP_MS)
      return await mine.reply(work(mine.api))
    } finally {
      clearTimeout(late)
      if (this.call === call) this.call = null
    }
  }

  private current(): Running {
    if (this.running) return this.running
    const channel = openChannel<ConsoleApi>(
      new Worker(new URL('../../../workers/console.worker.ts', import.meta.url), { type: 'module' }),
    )
    const opened = channel.reply(channel.api.open(this.request, this.own)).then(({ dataset }) => dataset)
    const mine: Running = { ...channel, opened }
    this.running = mine
    // A worker that crashed, or could not open the files, is discarded, so that another can be started.
    const leave = (error: unknown): void => {
      if (this.running === mine) this.end(asFurlongError(error, 'engine-failed'))
    }
    mine.ended.catch(leave)
    opened.catch(leave)
    return mine
  }
}
