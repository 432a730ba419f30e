import type { EngineProgress, OpenRequest, OpenedDataset } from '../../../analytics/engine-api.ts'
import { isServedByWorker } from '../../storage/stored-responses.ts'
import { createStore } from '../client/create-store.ts'
import { reportEngineError } from '../engine-reports.ts'
import { openedNow, setOpened } from './opened.ts'
import { engine } from './parts.ts'
import { asFurlongError, FurlongError } from '../../../domain/errors.ts'

/** State of the engine on this device. Until it is ready, the server answers. */
export type EngineState =
  | { kind: 'off' }
  | { kind: 'opening'; progress: EngineProgress | null }
  | { kind: 'ready'; opened: OpenedDataset }
  | { kind: 'failed'; error: FurlongError }

const state = createStore<EngineState>({ kind: 'off' })
let wanted = ''
let lastRequest: OpenRequest | null = null
type More = Required<Pick<OpenRequest, 'details' | 'sections'>>
/** What a question has read beside the records: from then on it is opened too. */
let more: More = { details: false, sections: false }

function change(next: EngineState): void {
  if (next.kind === 'failed') reportEngineError(next.error.code)
  state.set(next)
}

export const useEngineState = (): EngineState => state.use()

/** The engine has opened everything that was requested. */
export const isEngineReady = (): boolean => state.now().kind === 'ready'

/** Nothing has been requested of the engine yet. */
export const isEngineOff = (): boolean => state.now().kind === 'off'

export const engineFailed = (): boolean => state.now().kind === 'failed'

/** Resolves once what is open satisfies `answers`. Rejects if nothing could be opened. */
export function engineReady(answers: (opened: OpenedDataset) => boolean): Promise<OpenedDataset> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const now = openedNow()
      const current = state.now()
      if (now !== null && answers(now)) settle(() => resolve(now))
      else if (current.kind === 'failed') settle(() => reject(current.error))
    }
    const stop = state.listen(look)
    const settle = (done: () => void): void => {
      stop()
      done()
    }
    look()
  })
}

/** What the page asks to open; how it is opened follows from the device and from the questions so far. */
type Asked = Omit<OpenRequest, 'seasons' | 'memoryLimitMb' | keyof More>

/**
 * Opens a region for one model: where the whole history would take long, the newest season first, then all of
 * them. Repeating the same request does nothing; a newer one replaces it.
 */
export async function openEngine(asked: Asked, asOf: string): Promise<void> {
  const request = { ...asked, ...more }
  const key = JSON.stringify([request.regionId, request.model, request.token, asOf, more])
  if (key === wanted) return
  wanted = key
  change({ kind: 'opening', progress: null })
  try {
    const { onEngineProgress, openDataset } = await engine.load()
    const stop = onEngineProgress((progress) => {
      if (wanted === key) change({ kind: 'opening', progress })
    })
    try {
      const seasons =
        request.token === null || openedNow() !== null || isFast()
          ? (['all'] as const)
          : (['newest', 'all'] as const)
      for (const part of seasons) {
        if (wanted !== key) return
        const whole = { ...request, seasons: part, memoryLimitMb: memoryLimitMb() }
        lastRequest = whole
        setOpened(await openDataset(whole))
        if (wanted === key) change({ kind: 'opening', progress: null })
      }
    } finally {
      stop()
    }
    const opened = openedNow()
    if (wanted === key && opened !== null) change({ kind: 'ready', opened })
  } catch (error) {
    if (wanted !== key) return
    setOpened(null)
    change({ kind: 'failed', error: asFurlongError(error, 'engine-failed') })
  }
}

/** The engine reached a limit while it ran a query: the server takes over, and the user is notified. */
export function engineMetLimit(error: FurlongError): void {
  setOpened(null)
  change({ kind: 'failed', error })
}

/**
 * Starts the engine immediately if an earlier visit has cached it on this device, because it then
 * needs no network. On a fast connection only its script is loaded; it is compiled after the first
 * figures, which need the CPU.
 */
export async function prepareEngine(baseUrl: string): Promise<void> {
  const stored = isServedByWorker()
  if (wanted !== '' || !(stored || isFast())) return
  await (await engine.load()).prepareEngine(baseUrl, stored).catch(() => undefined)
}

/** Opens again what was asked for last, as questions and device have it now. */
function openAgain(): void {
  if (lastRequest === null) return
  const { seasons: _seasons, memoryLimitMb: _limit, ...request } = lastRequest
  const [, , , asOf] = JSON.parse(wanted) as string[]
  wanted = ''
  void openEngine(request, asOf ?? '')
}

/** Tries again after a failure. */
export const retryEngine = openAgain

/**
 * Opens the details of starters or their sections beside what is open, or with what is opened next. Until then the server
 * answers what reads them.
 */
export function openMore({ details, sections }: More): void {
  const wider = { details: more.details || details, sections: more.sections || sections }
  if (JSON.stringify(wider) === JSON.stringify(more)) return
  more = wider
  // Without access to the history the open files have them for the days that may be seen.
  if (!engineFailed() && lastRequest !== null && lastRequest.token !== null) openAgain()
}

const FAST_BITS_PER_MS = 4000
const MIN_MEASURED_BYTES = 20_000

/**
 * Whether the connection is so fast that loading all seasons takes hardly longer than loading the newest,
 * measured from the page's own scripts: the browser's estimate is based on other sites and rounded. Scripts that are
 * fetched at once share the connection, so that their bytes count together. A page that was served entirely from the
 * cache counts as fast.
 */
function isFast(): boolean {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const measured = entries.filter(
    ({ transferSize, responseStart, responseEnd }) =>
      transferSize >= MIN_MEASURED_BYTES && responseEnd >= responseStart,
  )
  const bits = measured.reduce((sum, { transferSize }) => sum + 8 * transferSize, 0)
  return bits >= FAST_BITS_PER_MS * millisecondsCovered(measured)
}

/** How long at least one of the transfers lasted, in milliseconds. */
function millisecondsCovered(transfers: readonly PerformanceResourceTiming[]): number {
  let covered = 0
  let until = 0
  for (const { responseStart, responseEnd } of transfers.toSorted(
    (a, b) => a.responseStart - b.responseStart,
  )) {
    covered += Math.max(0, responseEnd - Math.max(responseStart, until))
    until = Math.max(until, responseEnd)
  }
  return covered
}

const DEFAULT_DEVICE_GB = 4
const SHARE_OF_DEVICE_MB = 300

/** A fraction of the memory that the browser reports for the device (at most 8 GB; some browsers report none). */
export function memoryLimitMb(): number {
  const { deviceMemory } = navigator as { deviceMemory?: number }
  return (deviceMemory ?? DEFAULT_DEVICE_GB) * SHARE_OF_DEVICE_MB
}
