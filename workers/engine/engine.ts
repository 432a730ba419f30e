import { transfer } from 'comlink'
import type { Answer, Priority } from '../../analytics/connector.ts'
import type {
  EngineApi,
  EngineMemory,
  EngineProgress,
  LiveRow,
  OpenedDataset,
  OpenedRows,
  OpenRequest,
  OwnRows,
  Reply,
  RowsPage,
  RunCall,
} from '../../analytics/engine-api.ts'
import { fileColumns, typedSql } from '../../analytics/file-columns.ts'
import { MODELS } from '../../analytics/models.ts'
import { stepColumns, stepSql, type BrushStep, type IndexRequest } from '../../analytics/panel-index.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import type { CheckedRequest } from '../../analytics/request.ts'
import type { Plan } from '../../analytics/plan.ts'
import { planAllRows, type AllRows } from '../../analytics/rows.ts'
import { OWN_ROWS } from '../../analytics/own-slots.ts'
import type { Access } from '../../analytics/source.ts'
import { FurlongError } from '../../domain/errors.ts'
import { checkLiveRows, liveStatements } from '../channel/live-rows.ts'
import { moving, reply } from '../channel/reply.ts'
import { Dataset } from './dataset.ts'
import { loadEngine, startEngine, type DuckDb, type LoadedEngine } from './duckdb.ts'
import { exportDatabase } from './export-database.ts'
import { IndexStore } from './index-store.ts'
import { loadOwnRows } from './own-rows.ts'
import { runShortSql, runSql, runSqlInPages, type Interrupt } from './run-sql.ts'
import { Scheduler } from './scheduler.ts'

/**
 * Some thousand rows: few enough to be written between two frames, enough to amortise the message overhead.
 */
const EXPORT_PAGE_BYTES = 1_000_000

/** After a position of a brush only the next one, or a click, is worked on for this long. */
const HELD_MS = 250

/** How long the tables that make queries faster wait for a first question: none may come, for example on a hidden page. */
const FIRST_QUESTION_MS = 150

/**
 * Limits of the warm-up. The browser replaces the engine's baseline code by optimised code while it runs, function by
 * function; compiling it beside a reader's click takes a core from that click.
 */
const MAX_WARM_UP_ROUNDS = 20
const MAX_WARM_UP_MS = 1500

/** The engine in the worker: started at the first `open`, one task at a time. */
export class Engine implements EngineApi {
  private loaded: LoadedEngine | null = null
  private duckdb: Promise<DuckDb> | null = null
  private dataset: Dataset | null = null
  private readonly scheduler = new Scheduler()
  private listener: (progress: EngineProgress) => void = () => {}
  private readonly indexes = new IndexStore()
  /** The user's own rows are loaded. */
  private hasOwnRows = false
  /** Settles once all steps that make queries faster are done. */
  private materialized: Promise<void> = Promise.resolve()
  /** Called with each answer. */
  private onAnswer: () => void = () => {}
  private lastInternalId = -1
  /** Settles with the last opening: each begins to fetch after the one before, so that it knows what is attached. */
  private opening: Promise<unknown> = Promise.resolve()

  /** What is open can be queried until the files that replace it are there. */
  open(request: OpenRequest): ReturnType<EngineApi['open']> {
    const isFirst = this.dataset === null
    // Started immediately, so that it compiles while the files are fetched.
    void this.started(request.baseUrl).catch(() => undefined)
    const dataset = (this.dataset ??= new Dataset(() => this.started(request.baseUrl)))
    const open = async (fetched: ReturnType<Dataset['fetch']>): Promise<{ dataset: OpenedDataset }> => {
      const opening = await fetched
      if (dataset.opened !== null) await this.indexes.clear(await this.started(request.baseUrl))
      const opened = await dataset.openFetched(opening, this.listener)
      this.materialize(dataset)
      return { dataset: opened }
    }
    const call = this.internal('interactive')
    const fetch = (): ReturnType<Dataset['fetch']> => dataset.fetch(request, this.listener)
    // Questions that follow the first opening wait for it.
    const opened = isFirst
      ? this.task(call, () => open(fetch()))
      : this.opening.then(async () => {
          const fetched = fetch()
          await fetched.catch(() => undefined)
          return this.task(call, () => open(fetched))
        })
    this.opening = opened
    return opened
  }

  /**
   * Runs one step at a time, after the first answer, which takes a quarter of a second from the files. The first step, which
   * makes most clicks three times faster, comes before what the reader asks meanwhile; a click waits for at most one of the
   * others. If a step fails, queries use the same sources as before.
   */
  private materialize(dataset: Dataset): void {
    const steps = dataset.steps()
    if (dataset.isMaking) this.listener({ stage: 'making' })
    this.materialized = (async () => {
      await new Promise<void>((resolve) => {
        this.onAnswer = resolve
        setTimeout(resolve, FIRST_QUESTION_MS)
      })
      for (const [at, step] of steps.entries()) {
        const { requestId, priority } = this.internal(at === 0 ? 'interactive' : 'visible')
        const was = dataset.isMaking
        await this.scheduler.add(requestId, priority, null, step)
        if (was && !dataset.isMaking) this.listener({ stage: 'made' })
      }
    })().catch(() => this.listener({ stage: 'made' }))
    void this.materialized.then(() => dataset.keepFetched())
  }

  async warmUp(requests: readonly CheckedRequest[]): Promise<void> {
    const opened = this.dataset?.opened
    await this.materialized
    let spentMs = 0
    for (let round = 0; round < MAX_WARM_UP_ROUNDS && spentMs < MAX_WARM_UP_MS; round += 1) {
      for (const request of requests) {
        if (this.dataset?.opened !== opened) return
        const answer = await this.task(this.internal('idle'), (interrupt) => this.answer(request, interrupt))
        // A query that fails here reports its error when it is actually requested.
        if (!answer.ok) return
        spentMs += answer.milliseconds
      }
    }
  }

  async prepare(baseUrl: string, compile: boolean): Promise<void> {
    if (compile) await this.started(baseUrl).catch(() => undefined)
    else this.loaded ??= loadEngine(baseUrl)
  }

  async run(request: CheckedRequest, { requestId, priority, rows }: RunCall): ReturnType<EngineApi['run']> {
    // What a brush held back follows the figures of its end.
    if (priority === 'interactive') this.scheduler.release()
    const response = await reply(async () => {
      const key = JSON.stringify([request, rows])
      const answer = await this.scheduler.add(requestId, priority, key, (interrupt) =>
        this.answer(request, interrupt, rows),
      )
      this.onAnswer()
      // Other requests may share this result, and the bytes are transferred: each needs a copy.
      return { answer: { ...answer, bytes: answer.bytes.slice() } }
    })
    return moving(response, ({ answer }) => answer.bytes)
  }

  private async answer(
    request: CheckedRequest,
    interrupt: Interrupt,
    rows?: OpenedRows | null,
  ): Promise<Answer> {
    const { duckdb, dataset, access } = await this.whenOpen(rows)
    const { sql, ...plan } = this.planOf(request, access)
    const started = performance.now()
    // Polling allows long statements to be cancelled, but takes longer than a short statement does.
    const bytes = 'named' in request ? await runSql(duckdb, sql, interrupt) : await runShortSql(duckdb, sql)
    const milliseconds = performance.now() - started
    return { ...plan, bytes, milliseconds, computed: 'local', asOf: dataset.opened?.asOf ?? '' }
  }

  /** A request's plan, over an index if one covers it. */
  private planOf(request: CheckedRequest, access: Access): Plan {
    const plan = planRequest(request, access)
    const sql = 'linked' in request ? this.indexes.sqlOf(request.linked) : null
    return sql === null ? plan : { ...plan, sql, source: 'index' }
  }

  async index(request: IndexRequest, call: RunCall): ReturnType<EngineApi['index']> {
    const response = await this.task(call, async (interrupt) => {
      const { duckdb, access } = await this.whenOpen(call.rows)
      return { answer: await this.indexes.build(duckdb, request, access, interrupt) }
    })
    return moving(response, ({ answer }) => answer.bytes)
  }

  async step(name: string, step: BrushStep, call: RunCall): ReturnType<EngineApi['step']> {
    this.scheduler.hold(HELD_MS)
    const response = await this.task(call, async () => {
      const { duckdb } = await this.whenOpen()
      const index = this.indexes.named(name)
      if (!index) throw new FurlongError('bad-parameters', { reason: 'no such index' })
      const sql = stepSql(index, name, step)
      const started = performance.now()
      const bytes = await runShortSql(duckdb, sql)
      return { answer: { bytes, columns: stepColumns(index), milliseconds: performance.now() - started } }
    })
    return moving(response, ({ answer }) => answer.bytes)
  }

  async cancel(requestId: number): Promise<void> {
    this.scheduler.cancel(requestId)
  }

  exportRows(
    request: AllRows,
    onPage: (page: RowsPage) => Promise<void>,
    call: RunCall,
  ): ReturnType<EngineApi['exportRows']> {
    return this.task(call, async (interrupt) => {
      const { duckdb, access } = await this.whenOpen(call.rows)
      const { model } = request
      const { sql, columns } = planAllRows(model, MODELS[model], request, access)
      await runSqlInPages(duckdb, sql, interrupt, EXPORT_PAGE_BYTES, (bytes) =>
        onPage(transfer({ bytes, columns }, [bytes.buffer])),
      )
      return {}
    })
  }

  async exportDatabase(request: AllRows, call: RunCall): ReturnType<EngineApi['exportDatabase']> {
    const response = await this.task(call, async (interrupt) => {
      const { duckdb, access } = await this.whenOpen(call.rows)
      const { model, columns } = request
      const { sql } = planAllRows(model, MODELS[model], request, access)
      const typed = typedSql(sql, fileColumns(model, MODELS[model], columns))
      return exportDatabase(duckdb, model, typed, interrupt)
    })
    return moving(response, ({ bytes }) => bytes)
  }

  live(rows: readonly LiveRow[]): ReturnType<EngineApi['live']> {
    return this.task(this.internal('visible'), async () => {
      const { duckdb } = await this.whenOpen()
      const checked = checkLiveRows(rows)
      for (const statement of liveStatements(checked)) await runSql(duckdb, statement)
      return { rows: checked.length }
    })
  }

  own(rows: OwnRows | null): ReturnType<EngineApi['own']> {
    return this.task(this.internal('visible'), async () => {
      this.hasOwnRows = false
      const { duckdb } = await this.whenOpen()
      await this.indexes.clear(duckdb)
      if (rows === null) {
        await runShortSql(duckdb, `DROP TABLE IF EXISTS ${OWN_ROWS}`)
        return { slots: [] }
      }
      const slots = await loadOwnRows(duckdb, rows)
      this.hasOwnRows = true
      return { slots }
    })
  }

  async onProgress(listener: (progress: EngineProgress) => void): Promise<void> {
    this.listener = listener
  }

  memory(): Promise<Reply<EngineMemory>> {
    return this.task(this.internal('idle'), async () => {
      const { duckdb } = await this.whenOpen()
      const table = await duckdb.connection.query(
        `SELECT (SELECT coalesce(sum(memory_usage_bytes), 0)::DOUBLE FROM duckdb_memory()) AS used,
           current_setting('memory_limit') AS allowed`,
      )
      const row = table.get(0)!
      return { usedBytes: Number(row['used']), limitBytes: bytesOf(String(row['allowed'])) }
    })
  }

  /** Runs work in its turn, and replies with its result or error. */
  private task<Value extends object>(
    { requestId, priority }: RunCall,
    work: (interrupt: Interrupt) => Promise<Value>,
  ): Promise<Reply<Value>> {
    return reply(() => this.scheduler.add(requestId, priority, null, work))
  }

  private async started(baseUrl: string): Promise<DuckDb> {
    if (this.duckdb === null) {
      this.listener({ stage: 'starting' })
      this.duckdb = startEngine(this.loaded ?? loadEngine(baseUrl))
      this.loaded = null
      // A failed start must not be cached: the next `open` tries again.
      this.duckdb.catch(() => (this.duckdb = null))
    }
    return this.duckdb
  }

  /** Throws `busy` if other rows than these are open. */
  private async whenOpen(
    rows?: OpenedRows | null,
  ): Promise<{ duckdb: DuckDb; dataset: Dataset; access: Access }> {
    const { dataset } = this
    if (this.duckdb === null || dataset === null) throw new Error('the engine is not open')
    if (rows && !areOpen(rows, dataset.opened)) throw new FurlongError('busy')
    const duckdb = await this.duckdb
    const { access } = dataset
    const isWithOwn = access.scope === 'all' && this.hasOwnRows
    return { duckdb, dataset, access: isWithOwn ? { ...access, own: true } : access }
  }

  /** A call that no request can cancel. */
  private internal(priority: Priority): RunCall {
    this.lastInternalId -= 1
    return { requestId: this.lastInternalId, priority }
  }
}

const areOpen = ({ regionId, model, history }: OpenedRows, opened: OpenedDataset | null): boolean =>
  opened?.regionId === regionId && opened.model === model && opened.history === history

const UNITS: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** DuckDB prints its limit as `3.1 GiB`. */
function bytesOf(printed: string): number {
  const [amount = '0', unit = ''] = printed.split(' ')
  return Math.round(Number(amount) * (UNITS[unit] ?? 1))
}
