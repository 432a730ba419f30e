import { tableFromIPC, type Table } from 'apache-arrow'
import { isOutOfMemory } from '../../analytics/out-of-memory.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { DuckDb } from './duckdb.ts'

/** Cancels a running statement when `cancelled` is set. */
export interface Interrupt {
  cancelled: boolean
}

/** Length of the part that marks the end of a result. */
const EMPTY = 0

/**
 * Runs one statement and returns all its rows as an Arrow IPC stream. The statement is polled rather than run
 * in one call, so that `interrupt` can cancel it between two polls. No column may be of an ENUM type, whose values are not
 * in the stream (`refuseDictionaries`): reading the stream to find one would delay every answer. Throws `query-cancelled`,
 * `out-of-memory`, `query-failed`; the connection remains usable after each of them.
 */
export async function runSql(
  duckdb: DuckDb,
  sql: string,
  interrupt: Interrupt = { cancelled: false },
): Promise<Uint8Array<ArrayBuffer>> {
  const pages: Uint8Array<ArrayBuffer>[] = []
  await runInParts(duckdb, sql, interrupt, {
    pageBytes: Number.POSITIVE_INFINITY,
    onPage: async (page) => void pages.push(page),
  })
  return pages[0]!
}

/**
 * Runs one statement like `runSql` and passes on its rows in Arrow IPC streams of at least `pageBytes`,
 * except for the last, which is the only one if there are no rows. Waits for each call of `onPage`. Throws `query-failed`
 * also for a column of an ENUM type.
 */
export const runSqlInPages = (
  duckdb: DuckDb,
  sql: string,
  interrupt: Interrupt,
  pageBytes: number,
  onPage: (page: Uint8Array<ArrayBuffer>) => Promise<void>,
): Promise<void> =>
  runInParts(duckdb, sql, interrupt, {
    pageBytes,
    onPage,
    onHeader: (header) => refuseDictionaries(tableFromIPC(header)),
  })

interface Parts {
  pageBytes: number
  onPage(page: Uint8Array<ArrayBuffer>): Promise<void>
  onHeader?(header: Uint8Array): void
}

async function runInParts(
  { connection }: DuckDb,
  sql: string,
  interrupt: Interrupt,
  { pageBytes, onPage, onHeader }: Parts,
): Promise<void> {
  await connection.useUnsafe(async (bindings, id) => {
    const stopIfCancelled = async (): Promise<void> => {
      if (!interrupt.cancelled) return
      await bindings.cancelPendingQuery(id)
      throw new FurlongError('query-cancelled')
    }
    try {
      let header = await bindings.startPendingQuery(id, sql, false)
      while (header === null) {
        await stopIfCancelled()
        header = await bindings.pollPendingQuery(id)
      }
      onHeader?.(header)
      let parts: Uint8Array[] = [header]
      let bytes = 0
      let pages = 0
      for (;;) {
        await stopIfCancelled()
        const part = await bindings.fetchQueryResults(id)
        if (part === null) continue
        if (part.length === EMPTY) break
        parts.push(part)
        bytes += part.length
        if (bytes < pageBytes) continue
        await onPage(joined(parts))
        pages += 1
        parts = [header]
        bytes = 0
      }
      if (bytes > 0 || pages === 0) await onPage(joined(parts))
    } catch (error) {
      throw asQueryError(error, interrupt)
    }
  })
}

/**
 * Like `runSql` in a single call, for statements that take a few milliseconds: each poll is a round trip to
 * DuckDB's worker, which takes longer than they do. It cannot be cancelled while it runs.
 */
export async function runShortSql({ connection }: DuckDb, sql: string): Promise<Uint8Array<ArrayBuffer>> {
  return connection.useUnsafe(async (bindings, id) => {
    try {
      return (await bindings.runQuery(id, sql)) as Uint8Array<ArrayBuffer>
    } catch (error) {
      throw asQueryError(error, { cancelled: false })
    }
  })
}

/**
 * An ENUM is sent as numbers of a dictionary, and the engine leaves dictionaries out of results that are fetched in parts:
 * every value would read as missing. Throws `query-failed` with the names of such columns.
 */
export function refuseDictionaries({ schema }: Pick<Table, 'schema'>): void {
  if (schema.dictionaries.size === 0) return
  const names = schema.fields.map(({ name }) => name).join(', ')
  throw new FurlongError('query-failed', { reason: `an ENUM must be cast to VARCHAR in one of: ${names}` })
}

function asQueryError(error: unknown, interrupt: Interrupt): FurlongError {
  if (error instanceof FurlongError) return error
  if (interrupt.cancelled) return new FurlongError('query-cancelled')
  const reason = error instanceof Error ? error.message : String(error)
  return new FurlongError(
    isOutOfMemory(reason) ? 'out-of-memory' : 'query-failed',
    { reason },
    { cause: error },
  )
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
