import { useSyncExternalStore } from 'react'
import type { EngineProgress, OpenRequest, OpenedDataset } from '../../../analytics/engine-api.ts'
import { engine } from './parts.ts'
import { asFurlongError, FurlongError } from '../../../domain/errors.ts'

/** How far the engine on this device is. Until it is ready the server answers. */
export type EngineState =
  | { kind: 'off' }
  | { kind: 'opening'; progress: EngineProgress | null }
  | { kind: 'ready'; opened: OpenedDataset }
  | { kind: 'failed'; error: FurlongError }

let state: EngineState = { kind: 'off' }
/** What is open meanwhile, also while more is being opened. */
let opened: OpenedDataset | null = null
let wanted = ''
let lastRequest: OpenRequest | null = null
const listeners = new Set<() => void>()

function change(next: EngineState): void {
  state = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useEngineState = (): EngineState => useSyncExternalStore(subscribe, () => state)

/** What the engine has open; `null` while it has nothing. */
export const openedNow = (): OpenedDataset | null => opened

export const engineFailed = (): boolean => state.kind === 'failed'

/** Waits until what is open answers something. Throws why nothing could be opened. */
export function engineReady(answers: (opened: OpenedDataset) => boolean): Promise<OpenedDataset> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const now = opened
      if (now !== null && answers(now)) settle(() => resolve(now))
      else if (state.kind === 'failed') {
        const { error } = state
        settle(() => reject(error))
      }
    }
    const settle = (done: () => void): void => {
      listeners.delete(look)
      done()
    }
    listeners.add(look)
    look()
  })
}

/**
 * Opens a region for one model: the newest season first, which is small, then all of them. The same request again does
 * nothing; a newer one takes its place.
 */
export async function openEngine(
  request: Omit<OpenRequest, 'seasons' | 'memoryLimitMb'>,
  asOf: string,
): Promise<void> {
  const key = JSON.stringify([request.regionId, request.model, request.token, asOf])
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
        request.token === null || opened !== null || isFast()
          ? (['all'] as const)
          : (['newest', 'all'] as const)
      for (const part of seasons) {
        if (wanted !== key) return
        const whole = { ...request, seasons: part, memoryLimitMb: memoryLimitMb() }
        lastRequest = whole
        opened = await openDataset(whole)
        if (wanted === key) change({ kind: 'opening', progress: null })
      }
    } finally {
      stop()
    }
    if (wanted === key && opened !== null) change({ kind: 'ready', opened })
  } catch (error) {
    if (wanted !== key) return
    opened = null
    change({ kind: 'failed', error: asFurlongError(error, 'engine-failed') })
  }
}

/** The engine met its limit while it answered: the server takes over, and the reader is told. */
export function engineMetLimit(error: FurlongError): void {
  opened = null
  change({ kind: 'failed', error })
}

/**
 * Starts the engine at once where a visit before has left it on this device: it costs no network then. On a fast line its
 * script is loaded; it is compiled after the first figures, which need the processor.
 */
export async function prepareEngine(baseUrl: string): Promise<void> {
  const stored = Boolean(navigator.serviceWorker?.controller)
  if (wanted !== '' || !(stored || isFast())) return
  await (await engine.load()).prepareEngine(baseUrl, stored).catch(() => undefined)
}

/** Tries again after a failure. */
export function retryEngine(): void {
  if (lastRequest === null) return
  const { seasons: _seasons, memoryLimitMb: _limit, ...request } = lastRequest
  const [, , , asOf] = JSON.parse(wanted) as string[]
  wanted = ''
  void openEngine(request, asOf ?? '')
}

const FAST_BITS_PER_MS = 4000
const MIN_MEASURED_BYTES = 20_000

/**
 * Whether everything is here nearly as soon as its newest part, by the page's own scripts: the browser's estimate of the
 * line is of other sites, and rounded. A page that came from this device alone counts as fast.
 */
function isFast(): boolean {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const measured = entries.filter(({ transferSize }) => transferSize >= MIN_MEASURED_BYTES)
  return measured.every(
    ({ transferSize, responseStart, responseEnd }) =>
      (8 * transferSize) / Math.max(1, responseEnd - responseStart) >= FAST_BITS_PER_MS,
  )
}

const DEFAULT_DEVICE_GB = 4
const SHARE_OF_DEVICE_MB = 300

/** A share of what the browser says that the device has (at most 8 GB, and some browsers say nothing). */
export function memoryLimitMb(): number {
  const { deviceMemory } = navigator as { deviceMemory?: number }
  return (deviceMemory ?? DEFAULT_DEVICE_GB) * SHARE_OF_DEVICE_MB
}
