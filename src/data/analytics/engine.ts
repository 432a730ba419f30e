import { proxy, type Remote } from 'comlink'
import type { Connector, Priority, Signal } from '../../../analytics/connector.ts'
import type {
  EngineApi,
  EngineProgress,
  IndexAnswer,
  LiveRow,
  OpenRequest,
  OpenedRows,
  OpenedDataset,
  Reply,
  RowsPage,
  StepAnswer,
} from '../../../analytics/engine-api.ts'
import type { BrushStep, IndexRequest } from '../../../analytics/panel-index.ts'
import { builtRequest, type Request } from '../../../analytics/request.ts'
import type { AllRows } from '../../../analytics/rows.ts'
import { FurlongError } from '../../../domain/errors.ts'
import { createNotifier } from '../client/create-store.ts'
import { liveRows, onLiveRows } from '../live.ts'
import { openedNow } from './opened.ts'
import { setOwnSlots, onOwnTable, ownTableNow, type OwnTable } from './own-rows.ts'
import { openChannel, type WorkerChannel } from './worker-channel.ts'

/**
 * A worker that neither replies nor reports progress for this long is considered dead: its
 * calls would never settle.
 */
const SILENCE_MS = 120_000

let running: WorkerChannel<EngineApi> | null = null
let nextRequestId = 0
/** The last open request: a replacement worker opens it first. */
let lastOpen: OpenRequest | null = null
const progressNews = createNotifier<[EngineProgress]>()
/** The pending request of each view: a newer one cancels it. */
const ofView = new Map<string, number>()

function start(): WorkerChannel<EngineApi> {
  const mine = openChannel<EngineApi>(
    new Worker(new URL('../../../workers/analytics.worker.ts', import.meta.url), { type: 'module' }),
  )
  mine.ended.catch(() => {
    if (running === mine) running = null
  })
  void mine.api.onProgress(proxy(progressNews.notify))
  return mine
}

/** The engine's channel; a worker that replaces a dead one first opens the same region. */
function current(opening: boolean): WorkerChannel<EngineApi> {
  if (running === null) {
    running = start()
    // `open` is first in the worker's queue, so the region is open for all later requests.
    if (!opening && lastOpen !== null) {
      void running.api.open(lastOpen)
      void sendOwnRows()
    }
  }
  return running
}

/** The rows of what is open: whatever is asked is asked of those that the page takes for open. */
const rowsOf = (opened: OpenedDataset | null): OpenedRows | null =>
  opened && { regionId: opened.regionId, model: opened.model, history: opened.history }

interface CallOptions {
  signal?: Signal | undefined
  view?: string | undefined
  opening?: boolean
}

async function call<Value extends object>(
  ask: (api: Remote<EngineApi>, requestId: number) => Promise<Reply<Value>>,
  { signal, view, opening = false }: CallOptions = {},
): Promise<Value> {
  const mine = current(opening)
  nextRequestId += 1
  const requestId = nextRequestId
  const cancel = (id: number): void => void mine.api.cancel(id)
  const before = view === undefined ? undefined : ofView.get(view)
  if (before !== undefined) cancel(before)
  if (view !== undefined) ofView.set(view, requestId)
  const abort = (): void => cancel(requestId)
  signal?.addEventListener('abort', abort, { once: true })
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => mine.end(new FurlongError('query-timeout')), SILENCE_MS)
  }
  watch()
  const stopListening = onEngineProgress(watch)
  try {
    return await mine.reply(ask(mine.api, requestId))
  } finally {
    clearTimeout(timer)
    stopListening()
    if (view !== undefined && ofView.get(view) === requestId) ofView.delete(view)
    signal?.removeEventListener('abort', abort)
  }
}

/** Loads the engine's script before it is known what to open; `compile` also compiles the engine. */
export const prepareEngine = (baseUrl: string, compile: boolean): Promise<void> =>
  current(true).api.prepare(baseUrl, compile)

/** Opens a region's files, starting the engine if necessary. */
export async function openDataset(request: OpenRequest): Promise<OpenedDataset> {
  lastOpen = request
  const { dataset } = await call<{ dataset: OpenedDataset }>((api) => api.open(request), { opening: true })
  // Sends updates that the socket delivered before the engine was ready; rows that it
  // already has are overwritten.
  if (liveRows().length > 0) await sendLive(liveRows())
  await sendOwnRows()
  return dataset
}

/** The user's own rows as they were sent last, and the worker that has them. */
let sentOwn: { to: WorkerChannel<EngineApi>; table: OwnTable | null } | null = null

/** Sends the user's own rows of the open region to a worker that does not have them. */
async function sendOwnRows(): Promise<void> {
  if (running === null || lastOpen === null) return
  const { regionId } = lastOpen
  const table = ownTableNow()
  const wanted = table?.regionId === regionId ? table : null
  if (sentOwn?.to === running ? sentOwn.table === wanted : wanted === null) return
  const mine = { to: running, table: wanted }
  sentOwn = mine
  setOwnSlots(null)
  try {
    const { slots } = await call((api) =>
      api.own(wanted === null ? null : { bytes: wanted.bytes, columns: wanted.numbers }),
    )
    if (sentOwn === mine && wanted !== null) setOwnSlots({ regionId, slots })
  } catch {
    // Without the rows their filters are not offered; the file's own tab still has them.
    if (sentOwn === mine) sentOwn = null
  }
}

onOwnTable(() => void sendOwnRows())

const sendLive = (rows: readonly LiveRow[]): Promise<{ rows: number }> => call((api) => api.live(rows))

onLiveRows((rows) => {
  // If the engine cannot store an update, it is still on screen, and in the next files.
  if (running !== null && lastOpen !== null) void sendLive(rows).catch(() => undefined)
})

async function answerOf<Result>(
  ask: (api: Remote<EngineApi>, requestId: number) => Promise<Reply<{ answer: Result }>>,
  options?: CallOptions,
): Promise<Result> {
  return (await call<{ answer: Result }>(ask, options)).answer
}

/** The engine on this device as a connector. */
export const localConnector: Connector = {
  run: (request, { signal, priority, view }) =>
    answerOf(
      (api, requestId) => api.run(builtRequest(request), { requestId, priority, rows: rowsOf(openedNow()) }),
      {
        signal,
        view,
      },
    ),
}

/** Makes the browser compile the engine's code for some queries, while the engine is idle. */
export const warmUpEngine = (requests: readonly Request[]): Promise<void> =>
  current(false).api.warmUp(requests.map(builtRequest))

/** Builds an index; one that is no longer wanted is cancelled by the next of the same priority. */
export const buildIndex = (request: IndexRequest, priority: Priority): Promise<IndexAnswer> =>
  answerOf((api, requestId) => api.index(request, { requestId, priority, rows: rowsOf(openedNow()) }), {
    view: `index-${priority}`,
  })

/** Figures at one position of a brush over an index. */
export const stepBrush = (index: string, step: BrushStep): Promise<StepAnswer> =>
  answerOf((api, requestId) => api.step(index, step, { requestId, priority: 'interactive' }))

interface ExportOptions {
  /** What was open when it was found to answer the query: `busy` if its turn comes after another opening. */
  opened: OpenedDataset
  signal: Signal
}

/** Every row of a query, in pages of some thousand rows. */
export async function exportRows(
  request: AllRows,
  onPage: (page: RowsPage) => Promise<void>,
  { opened, signal }: ExportOptions,
): Promise<void> {
  const rows = rowsOf(opened)
  await call(
    (api, requestId) => api.exportRows(request, proxy(onPage), { requestId, priority: 'visible', rows }),
    { signal },
  )
}

/** Every row of a query as a DuckDB database. */
export function exportDatabase(
  request: AllRows,
  { opened, signal }: ExportOptions,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; rows: number }> {
  const rows = rowsOf(opened)
  return call((api, requestId) => api.exportDatabase(request, { requestId, priority: 'visible', rows }), {
    signal,
  })
}

export const onEngineProgress = progressNews.listen

/** Whether the engine, which can answer already, makes the tables that let it answer quickly. */
let making = false
onEngineProgress(({ stage }) => {
  // Files may be fetched meanwhile.
  if (stage !== 'fetching') making = stage === 'making'
})
export const isMakingTables = (): boolean => making
