import type { OpenedDataset, RowsPage } from '../../../analytics/engine-api.ts'
import type { AllRows } from '../../../analytics/rows.ts'
import { FurlongError } from '../../../domain/errors.ts'
import { engineAnswers, isEngineLimit } from './connector.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { isCode } from '../client/errors.ts'
import { engineFailed } from './engine-state.ts'
import { decoder, engine } from './parts.ts'
import { askRemote } from './remote.ts'
import type { AnalyticsScope } from './use-analytics.ts'

/** Number of rows per request to the server. */
const REMOTE_PAGE = 5000
/** How often all rows are read again because the files were rebuilt meanwhile. */
const ATTEMPTS = 3

/** Receives the rows of a query page by page; if reading fails, the sink is discarded. */
export interface PageSink {
  /** Adds a page and returns its number of rows. */
  add(page: RowsPage): Promise<number>
}

export interface ReadOptions {
  signal: AbortSignal
  /** Receives the number of rows so far. */
  onRows(rows: number): void
}

/**
 * Reads every row of a query in order as Arrow pages, from the engine on this device, or from the server if
 * the engine cannot run or if the rows are of races that only this member unlocked. A sink that cannot be
 * completed is discarded and a new one is created. `onRows` receives the number of rows so far. Throws the
 * errors of the engine, the server and the sink, and `query-cancelled` once `signal` is aborted.
 */
export async function readAllPages<Sink extends PageSink>(
  scope: AnalyticsScope,
  request: AllRows,
  begin: () => Promise<Sink>,
  options: ReadOptions,
): Promise<Sink> {
  const opened = scope.member === null ? await openedFor(scope, request, options.signal) : null
  if (opened !== null) {
    try {
      return await readHere(request, opened, await begin(), options)
    } catch (error) {
      // Continue with the server if this device cannot, or if other rows were opened before its turn came.
      if (!engineFailed() && !isEngineLimit(error) && !isCode(error, 'busy')) throw error
    }
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const sink = await begin()
    if (await readRemote(scope, request, sink, options)) return sink
  }
  throw new FurlongError('busy')
}

/** What the engine has open once that answers a request; `null` if it has failed. */
async function openedFor(
  scope: AnalyticsScope,
  request: AllRows,
  signal: AbortSignal,
): Promise<OpenedDataset | null> {
  if (engineFailed()) return null
  try {
    const page = { rows: { ...request, offset: 0, limit: 1 } }
    return await unlessAborted(engineAnswers(scope, page), signal)
  } catch (error) {
    if (!engineFailed()) throw error
    return null
  }
}

async function readHere<Sink extends PageSink>(
  request: AllRows,
  opened: OpenedDataset,
  sink: Sink,
  { signal, onRows }: ReadOptions,
): Promise<Sink> {
  const { exportRows } = await engine.load()
  let count = 0
  const failure: { thrown: unknown } = { thrown: null }
  await exportRows(
    request,
    async (page) => {
      if (signal.aborted || failure.thrown !== null) return
      try {
        count += await sink.add(page)
      } catch (error) {
        // Thrown in the callback, the error would lose its class on the way through the worker.
        failure.thrown = error
        return
      }
      onRows(count)
      // Yields between pages, so that the page stays responsive.
      await new Promise((resolve) => setTimeout(resolve))
    },
    { opened, signal },
  )
  if (failure.thrown !== null) throw failure.thrown
  stopIfAborted(signal)
  return sink
}

/** Returns `false` if the files were rebuilt between two pages: rows could be missing or duplicated. */
async function readRemote(
  { regionId, member }: AnalyticsScope,
  request: AllRows,
  sink: PageSink,
  { signal, onRows }: ReadOptions,
): Promise<boolean> {
  let asOf: string | null = null
  for (let count = 0; ;) {
    const page = { rows: { ...request, offset: count, limit: REMOTE_PAGE } }
    const answer = await askRemote(regionId, page, { signal }, member === null ? undefined : 'own')
    stopIfAborted(signal)
    if (asOf !== null && asOf !== answer.asOf) return false
    asOf = answer.asOf
    const added = await sink.add({ bytes: answer.bytes, columns: answer.columns })
    count += added
    onRows(count)
    if (added < REMOTE_PAGE) return true
  }
}

/** Receives decoded rows. */
export interface Collection {
  add(rows: readonly AnswerRow[]): void
}

/** Like `readAllPages`, for consumers of decoded rows. */
export async function readAllRows<Rows extends Collection>(
  scope: AnalyticsScope,
  request: AllRows,
  begin: () => Rows,
  options: ReadOptions,
): Promise<Rows> {
  const { decodeRows } = await decoder.load()
  const { rows } = await readAllPages(
    scope,
    request,
    async () => {
      const own = begin()
      return {
        rows: own,
        add: async ({ bytes, columns }: RowsPage) => {
          const decoded = decodeRows(bytes, columns)
          own.add(decoded)
          return decoded.length
        },
      }
    },
    options,
  )
  return rows
}

function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new FurlongError('query-cancelled')
}

/** Rejects with `query-cancelled` once the signal is aborted, though the work goes on. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  stopIfAborted(signal)
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new FurlongError('query-cancelled'))
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
