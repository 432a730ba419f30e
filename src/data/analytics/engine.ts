import { proxy, type Remote } from 'comlink'
import type { Answer, Connector, RunOptions, Signal } from '../../../analytics/connector.ts'
import type { BrushRequest } from '../../../analytics/brush.ts'
import type { Scalar } from '../../../analytics/model.ts'
import type {
  BrushAnswer,
  EngineApi,
  EngineProgress,
  LiveRow,
  OpenRequest,
  OpenedDataset,
  Reply,
  RowsPage,
} from '../../../analytics/engine-api.ts'
import type { Request } from '../../../analytics/request.ts'
import type { AllRows } from '../../../analytics/rows.ts'
import { FurlongError } from '../../../domain/errors.ts'
import { engineError } from '../errors.ts'
import { liveRows, onLiveRows } from '../live-rows.ts'
import { openChannel, type WorkerChannel } from './worker-channel.ts'

/** A worker that neither answers nor reports progress for so long is taken for dead: its calls would never settle. */
const SILENCE_MS = 120_000

let running: WorkerChannel<EngineApi> | null = null
let nextRequestId = 0
/** What was opened last: a worker that takes another's place opens it first. */
let lastOpen: OpenRequest | null = null
const progressListeners = new Set<(progress: EngineProgress) => void>()
/** The request of each view that is under way: a newer one cancels it. */
const ofView = new Map<string, number>()

function start(): WorkerChannel<EngineApi> {
  const mine = openChannel<EngineApi>(
    new Worker(new URL('../../../workers/analytics.worker.ts', import.meta.url), { type: 'module' }),
  )
  mine.ended.catch(() => {
    if (running === mine) running = null
  })
  const report = (progress: EngineProgress): void =>
    progressListeners.forEach((listener) => listener(progress))
  void mine.api.onProgress(proxy(report))
  return mine
}

/** The engine; a worker that took a dead one's place has opened the same region before it is asked. */
function current(opening: boolean): WorkerChannel<EngineApi> {
  if (running === null) {
    running = start()
    // Opening comes first in the worker's queue, so whatever is asked next finds the region open.
    if (!opening && lastOpen !== null) void running.api.open(lastOpen)
  }
  return running
}

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
    const reply = await Promise.race([ask(mine.api, requestId), mine.ended])
    if (!reply.ok) throw engineError(reply.error)
    return reply
  } finally {
    clearTimeout(timer)
    stopListening()
    if (view !== undefined && ofView.get(view) === requestId) ofView.delete(view)
    signal?.removeEventListener('abort', abort)
  }
}

/** Loads the engine's script before it is known what is to be opened, and compiles the engine if asked to. */
export const prepareEngine = (baseUrl: string, compile: boolean): Promise<void> =>
  current(true).api.prepare(baseUrl, compile)

/** Opens a region's files, starting the engine when needed. */
export async function openDataset(request: OpenRequest): Promise<OpenedDataset> {
  lastOpen = request
  const { dataset } = await call<{ dataset: OpenedDataset }>((api) => api.open(request), { opening: true })
  // What the socket told before the engine was there; a row that it has is only written again.
  if (liveRows().length > 0) await sendLive(liveRows())
  return dataset
}

const sendLive = (rows: readonly LiveRow[]): Promise<{ rows: number }> => call((api) => api.live(rows))

onLiveRows((rows) => {
  // News that the engine cannot take is on screen all the same, and in the next files.
  if (running !== null && lastOpen !== null) void sendLive(rows).catch(() => undefined)
})

/** The engine on this device as a connector. */
export const localConnector: Connector = {
  run: async (request, { signal, priority, view }: RunOptions): Promise<Answer> => {
    const { answer } = await call<{ answer: Answer }>(
      (api, requestId) => api.run(request, { requestId, priority }),
      { signal, view },
    )
    return answer
  },
}

/** Has the engine's code for some questions compiled in its quick form, while nothing else is to be done. */
export const warmUpEngine = (requests: readonly Request[]): Promise<void> =>
  current(false).api.warmUp(requests)

/** Makes the index of a brush. */
export async function indexBrush(request: BrushRequest): Promise<BrushAnswer> {
  const { answer } = await call<{ answer: BrushAnswer }>(
    (api, requestId) => api.index(request, { requestId, priority: 'interactive' }),
    { view: 'brush-index' },
  )
  return answer
}

/** Figures of one position of the brush, both ends included. */
export async function stepBrush(from: Scalar, to: Scalar): Promise<BrushAnswer> {
  const { answer } = await call<{ answer: BrushAnswer }>((api, requestId) =>
    api.step(from, to, { requestId, priority: 'interactive' }),
  )
  return answer
}

/** Every row of a question, some thousand at a time. */
export async function exportRows(
  request: AllRows,
  onPage: (page: RowsPage) => Promise<void>,
  signal?: Signal,
): Promise<void> {
  await call((api, requestId) => api.exportRows(request, proxy(onPage), { requestId, priority: 'visible' }), {
    signal,
  })
}

/** Every row of a question as a DuckDB database. */
export const exportDatabase = (
  request: AllRows,
  signal?: Signal,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; rows: number }> =>
  call((api, requestId) => api.exportDatabase(request, { requestId, priority: 'visible' }), { signal })

export function onEngineProgress(listener: (progress: EngineProgress) => void): () => void {
  progressListeners.add(listener)
  return () => progressListeners.delete(listener)
}
