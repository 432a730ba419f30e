import { tableFromIPC } from 'apache-arrow'
import { proxy, wrap, type Remote } from 'comlink'
import type {
  EngineDoor,
  EngineMemory,
  EngineProgress,
  ExportRequest,
  OpenRequest,
  OpenedDataset,
  Reply,
} from '../../contract/engine.ts'
import type { QueryName, QueryParameters, QueryRows } from '../../contract/queries.ts'
import { FurlongError } from '../../domain/errors.ts'
import { engineError } from './errors.ts'

export interface QueryAnswer<Row> {
  rows: Row[]
  source: 'cube' | 'rows'
  milliseconds: number
}

/** A worker that answers nothing for so long is taken for dead: its pending calls would never settle. */
const ANSWER_TIMEOUT_MS = 120_000

interface Running {
  worker: Worker
  door: Remote<EngineDoor>
  /** Rejects when the worker breaks. */
  broken: Promise<never>
}

let running: Running | null = null
let nextRequestId = 0
const progressListeners = new Set<(progress: EngineProgress) => void>()

function start(): Running {
  const worker = new Worker(new URL('../../workers/analytics.worker.ts', import.meta.url), { type: 'module' })
  const door = wrap<EngineDoor>(worker)
  const broken = new Promise<never>((_, reject) => {
    worker.addEventListener('error', () => reject(new FurlongError('engine-lost')))
  })
  broken.catch(() => replaceEngine())
  void door.onProgress(
    proxy((progress: EngineProgress) => progressListeners.forEach((listener) => listener(progress))),
  )
  return { worker, door, broken }
}

/** Ends a worker that cannot be trusted any more; the next `open` starts another. */
function replaceEngine(): void {
  running?.worker.terminate()
  running = null
}

async function call<Value extends object>(
  ask: (door: Remote<EngineDoor>, requestId: number) => Promise<Reply<Value>>,
  signal?: AbortSignal,
): Promise<Value> {
  running ??= start()
  const { door, broken } = running
  nextRequestId += 1
  const requestId = nextRequestId
  const cancel = (): void => void door.cancel(requestId)
  signal?.addEventListener('abort', cancel, { once: true })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      replaceEngine()
      reject(new FurlongError('query-timeout'))
    }, ANSWER_TIMEOUT_MS)
  })
  try {
    const reply = await Promise.race([ask(door, requestId), broken, late])
    if (!reply.ok) throw engineError(reply.error)
    return reply
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

/** Opens a region's files, starting the engine when needed. */
export async function openDataset(request: OpenRequest): Promise<OpenedDataset> {
  const { dataset } = await call((door) => door.open(request) as Promise<Reply<{ dataset: OpenedDataset }>>)
  return dataset
}

/** Asks a named query; an aborted `signal` stops it in the engine. */
export async function runQuery<Name extends QueryName>(
  name: Name,
  parameters: QueryParameters<Name>,
  signal?: AbortSignal,
): Promise<QueryAnswer<QueryRows[Name]>> {
  const { bytes, source, milliseconds } = await call((door, id) => door.run(name, parameters, id), signal)
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
    signal,
  )

export const engineMemory = (): Promise<EngineMemory> =>
  call((door) => door.memory() as Promise<Reply<EngineMemory>>)

export function onEngineProgress(listener: (progress: EngineProgress) => void): () => void {
  progressListeners.add(listener)
  return () => progressListeners.delete(listener)
}
