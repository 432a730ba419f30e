import { useEffect } from 'react'
import type { ModelId } from '../../../contract/model-ids.ts'
import { baseUrl } from '../client/api-client.ts'
import { useVipToken } from '../use-session.ts'
import { openEngine, prepareEngine } from './engine-state.ts'
import { useScope } from './use-analytics.ts'

/**
 * The first figures come from the server, and the engine starts after them, because it would compete with
 * them for the network and the CPU. After this time it starts anyway: offline the server never answers.
 */
const START_AFTER_MS = 1500
/** For users who see daily totals only: a download of five megabytes is not worth it for a brief visit. */
const SLOW_LINE_MS = 10_000
/** Events that show that the user is interacting with the page. */
const GESTURES = ['pointerdown', 'keydown'] as const

/**
 * Opens the screen's data on this device, for one model; `null` while the model is unknown. `answered`: the
 * first figures are on screen. For users without access to the history it waits for their first gesture,
 * while the server answers.
 */
export function useEngine(model: ModelId | null, hasFigures: boolean): void {
  const { regionId, asOf } = useScope()
  const token = useVipToken()
  useEffect(() => {
    if (token) void prepareEngine(baseUrl())
  }, [token])
  useEffect(() => {
    if (token === undefined) return undefined
    const open = (): void =>
      void openEngine({ baseUrl: baseUrl(), regionId, model: token === null ? null : model, token }, asOf)
    if (token === null) return openDeferred(open, hasFigures)
    // After the frame in which the figures are painted; a background tab paints none, hence the timer.
    // Opening twice is harmless.
    const frame = hasFigures ? requestAnimationFrame(() => setTimeout(open)) : 0
    const timer = setTimeout(open, START_AFTER_MS)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [regionId, asOf, token, model, hasFigures])
}

/** Opens at the first gesture, or if the server returns no figures. Returns a function that cancels it. */
function openDeferred(open: () => void, hasFigures: boolean): () => void {
  const timer = hasFigures ? undefined : setTimeout(open, navigator.onLine ? SLOW_LINE_MS : START_AFTER_MS)
  // After the requests of the gesture itself.
  const begin = (): void => void setTimeout(open)
  for (const type of GESTURES) addEventListener(type, begin, { once: true, passive: true })
  return () => {
    clearTimeout(timer)
    for (const type of GESTURES) removeEventListener(type, begin)
  }
}
