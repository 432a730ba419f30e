import { transfer } from 'comlink'
import { z } from 'zod'
import type {
  EngineDoor,
  EngineMemory,
  EngineProgress,
  ExportRequest,
  LiveRow,
  OpenRequest,
  Reply,
  RunAnswer,
} from '../../contract/engine.ts'
import { QUERIES, type QueryName } from '../../contract/queries.ts'
import { asFurlongError } from '../../domain/errors.ts'
import { ORIGINS } from '../../contract/record-vocabulary.ts'
import { LiveRows, liveStatements } from '../sql/live.ts'
import { prepareQuery } from '../queries/catalogue.ts'
import { exportSql } from './csv-export.ts'
import { Dataset } from './dataset.ts'
import { startEngine, type Engine } from './duckdb.ts'
import { RequestQueue } from './request-queue.ts'
import { runShortSql, runSql } from './run-sql.ts'

const EXPORT_FILE = 'export.csv'
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

const ExportParameters = z.object({
  filter: QUERIES.record_page.shape.filter,
  grid: QUERIES.record_page.shape.grid,
  sort: QUERIES.record_page.shape.sort,
  language: z.enum(['en', 'hant', 'hans']),
  headings: z.record(z.string(), z.string().max(100)),
  outcomes: z.record(z.enum(['hit', 'miss', 'void']), z.string().max(100)),
  origins: z.record(z.enum(ORIGINS), z.string().max(100)),
  gameplays: z.record(z.string().regex(/^\d$/), z.string().max(100)),
})

/** Every reply of the door is one of two shapes: an error that is thrown loses its class on the way out. */
async function reply<Value extends object>(work: () => Promise<Value>): Promise<Reply<Value>> {
  try {
    return { ok: true, ...(await work()) }
  } catch (thrown) {
    const { code, details } = asFurlongError(thrown, 'engine-failed')
    return { ok: false, error: { code, details } }
  }
}

/** The engine behind the worker's door: started at the first `open`, one request at a time. */
export class Door implements EngineDoor {
  private engine: Promise<Engine> | null = null
  private dataset: Dataset | null = null
  private readonly queue = new RequestQueue()
  private listener: (progress: EngineProgress) => void = () => {}
  private nextInternalId = -1

  open(request: OpenRequest): ReturnType<EngineDoor['open']> {
    return reply(() =>
      this.queue.add(this.internalId(), async () => {
        const engine = await this.started(request.baseUrl)
        this.dataset ??= new Dataset(engine)
        return { dataset: await this.dataset.open(request, this.listener) }
      }),
    )
  }

  async run(name: QueryName, parameters: unknown, requestId: number): Promise<Reply<RunAnswer>> {
    const answer = await reply(() =>
      this.queue.add(requestId, async (interrupt) => {
        const { engine, dataset } = await this.opened()
        const { sql, source } = prepareQuery(name, parameters, dataset.access)
        const started = performance.now()
        const bytes =
          source === 'rows' ? await runSql(engine, sql, interrupt) : await runShortSql(engine, sql)
        return { bytes, source, milliseconds: performance.now() - started }
      }),
    )
    return answer.ok ? transfer(answer, [answer.bytes.buffer]) : answer
  }

  async cancel(requestId: number): Promise<void> {
    this.queue.cancel(requestId)
  }

  async exportCsv(request: ExportRequest, requestId: number): ReturnType<EngineDoor['exportCsv']> {
    const answer = await reply(() =>
      this.queue.add(requestId, async (interrupt) => {
        const { engine } = await this.opened()
        const select = exportSql(ExportParameters.parse(request))
        await engine.database.registerEmptyFileBuffer(EXPORT_FILE)
        try {
          await runSql(engine, `COPY (${select}) TO '${EXPORT_FILE}' (FORMAT csv, HEADER)`, interrupt)
          const csv = await engine.database.copyFileToBuffer(EXPORT_FILE)
          const bytes = new Uint8Array(BYTE_ORDER_MARK.length + csv.length)
          bytes.set(BYTE_ORDER_MARK)
          bytes.set(csv, BYTE_ORDER_MARK.length)
          return { bytes, rows: countLines(csv) - 1 }
        } finally {
          await engine.database.dropFile(EXPORT_FILE)
        }
      }),
    )
    return answer.ok ? transfer(answer, [answer.bytes.buffer]) : answer
  }

  live(rows: readonly LiveRow[]): ReturnType<EngineDoor['live']> {
    return reply(() =>
      this.queue.add(this.internalId(), async () => {
        const { engine } = await this.opened()
        const checked = LiveRows.parse(rows)
        for (const statement of liveStatements(checked)) await runSql(engine, statement)
        return { rows: checked.length }
      }),
    )
  }

  async onProgress(listener: (progress: EngineProgress) => void): Promise<void> {
    this.listener = listener
  }

  memory(): Promise<Reply<EngineMemory>> {
    return reply(() =>
      this.queue.add(this.internalId(), async () => {
        const { engine } = await this.opened()
        const table = await engine.connection.query(
          `SELECT (SELECT coalesce(sum(memory_usage_bytes), 0)::DOUBLE FROM duckdb_memory()) AS used,
             current_setting('memory_limit') AS allowed`,
        )
        const row = table.get(0)!.toJSON() as { used: number; allowed: string }
        return { usedBytes: row.used, limitBytes: bytesOf(row.allowed) }
      }),
    )
  }

  private async started(baseUrl: string): Promise<Engine> {
    if (this.engine === null) {
      this.listener({ stage: 'starting' })
      this.engine = startEngine(baseUrl)
      // A failed start must not be kept: the next `open` tries again.
      this.engine.catch(() => (this.engine = null))
    }
    return this.engine
  }

  private async opened(): Promise<{ engine: Engine; dataset: Dataset }> {
    if (this.engine === null || this.dataset === null) throw new Error('the engine is not open')
    return { engine: await this.engine, dataset: this.dataset }
  }

  private internalId(): number {
    this.nextInternalId -= 1
    return this.nextInternalId
  }
}

function countLines(csv: Uint8Array): number {
  let lines = 0
  for (const byte of csv) if (byte === 10) lines += 1
  return lines
}

const UNITS: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** DuckDB prints its limit as `3.1 GiB`. */
function bytesOf(printed: string): number {
  const [amount = '0', unit = ''] = printed.split(' ')
  return Math.round(Number(amount) * (UNITS[unit] ?? 1))
}
