import { tableFromIPC } from 'apache-arrow'
import { proxy, wrap, type Remote } from 'comlink'
import type {
  EngineDoor,
  EngineMemory,
  EngineProgress,
  ExportRequest,
  LiveRow,
  OpenRequest,
  OpenedDataset,
  Reply,
} from '../../contract/engine.ts'
import type { QueryName, QueryParameters, QueryRows } from '../../contract/queries.ts'
import { FurlongError } from '../../domain/errors.ts'
import { engineError } from './errors.ts'
import { liveRows, onLiveRows } from './live-rows.ts'

export interface QueryAnswer<Row> {
  rows: Row[]
  source: 'cube' | 'rows'
  milliseconds: number
}

/** A worker that neither answers nor tells progress for so long is taken for dead: its calls would never settle. */
const SILENCE_MS = 120_000

interface Running {
  worker: Worker
  door: Remote<EngineDoor>
  /** Rejects when the worker broke or was replaced. */
  ended: Promise<never>
  end(reason: FurlongError): void
}

let running: Running | null = null
let nextRequestId = 0
/** What was opened last: a worker that takes another's place opens it first. */
let lastOpen: OpenRequest | null = null
const progressListeners = new Set<(progress: EngineProgress) => void>()

function start(): Running {
  const worker = new Worker(new URL('../../workers/analytics.worker.ts', import.meta.url), { type: 'module' })
  const door = wrap<EngineDoor>(worker)
  let end: Running['end'] = () => {}
  const ended = new Promise<never>((_, reject) => {
    end = reject
  })
  const mine: Running = { worker, door, ended, end }
  ended.catch(() => {
    worker.terminate()
    if (running === mine) running = null
  })
  worker.addEventListener('error', () => end(new FurlongError('engine-lost')))
  const tell = (progress: EngineProgress): void => progressListeners.forEach((listener) => listener(progress))
  void door.onProgress(proxy(tell))
  return mine
}

/** The engine's door; a worker that took a dead one's place has opened the same region before it is asked. */
function current(opening: boolean): Running {
  if (running === null) {
    running = start()
    // Requests are answered in turn, so whatever is asked next finds the region open.
    if (!opening && lastOpen !== null) void running.door.open(lastOpen)
  }
  return running
}

async function call<Value extends object>(
  ask: (door: Remote<EngineDoor>, requestId: number) => Promise<Reply<Value>>,
  { signal, opening = false }: { signal?: AbortSignal; opening?: boolean } = {},
): Promise<Value> {
  const mine = current(opening)
  nextRequestId += 1
  const requestId = nextRequestId
  const cancel = (): void => void mine.door.cancel(requestId)
  signal?.addEventListener('abort', cancel, { once: true })
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => mine.end(new FurlongError('query-timeout')), SILENCE_MS)
  }
  watch()
  const stopListening = onEngineProgress(watch)
  try {
    const reply = await Promise.race([ask(mine.door, requestId), mine.ended])
    if (!reply.ok) throw engineError(reply.error)
    return reply
  } finally {
    clearTimeout(timer)
    stopListening()
    signal?.removeEventListener('abort', cancel)
  }
}

/** Opens a region's files, starting the engine when needed. */
export async function openDataset(request: OpenRequest): Promise<OpenedDataset> {
  lastOpen = request
  const { dataset } = await call((door) => door.open(request) as Promise<Reply<{ dataset: OpenedDataset }>>, {
    opening: true,
  })
  // What the socket told before the engine was there; a row that it has is only written again.
  if (liveRows().length > 0) await tellLive(liveRows())
  return dataset
}

const tellLive = (rows: readonly LiveRow[]): Promise<{ rows: number }> =>
  call((door) => door.live(rows) as Promise<Reply<{ rows: number }>>)

onLiveRows((rows) => {
  // News that the engine cannot take is on screen all the same, and in the next files.
  if (running !== null && lastOpen !== null) void tellLive(rows).catch(() => undefined)
})

/** Asks a named query; an aborted `signal` stops it in the engine. */
export async function runQuery<Name extends QueryName>(
  name: Name,
  parameters: QueryParameters<Name>,
  signal?: AbortSignal,
): Promise<QueryAnswer<QueryRows[Name]>> {
  const { bytes, source, milliseconds } = await call((door, id) => door.run(name, parameters, id), { signal })
  const table = tableFromIPC(bytes)
  const columns = table.schema.fields.map(
    ({ name: column }, index) => [column, table.getChildAt(index)!] as const,
  )
  const rows = Array.from({ length: table.numRows }, (_, at) =>
    Object.fromEntries(columns.map(([column, vector]) => [column, vector.get(at) as unknown])),
  ) as unknown as QueryRows[Name][]
  return { rows, source, milliseconds }
}

export const exportCsv = (
  request: ExportRequest,
  signal?: AbortSignal,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; rows: number }> =>
  call(
    (door, id) =>
      door.exportCsv(request, id) as Promise<Reply<{ bytes: Uint8Array<ArrayBuffer>; rows: number }>>,
    { signal },
  )

export const engineMemory = (): Promise<EngineMemory> =>
  call((door) => door.memory() as Promise<Reply<EngineMemory>>)

export function onEngineProgress(listener: (progress: EngineProgress) => void): () => void {
  progressListeners.add(listener)
  return () => progressListeners.delete(listener)
}
