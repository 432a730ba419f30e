import { useEffect, useRef } from 'react'
import type { ModelId } from '../../../contract/model-ids.ts'
import { baseUrl } from '../client/api-client.ts'
import { useVipToken } from '../use-session.ts'
import { useDelayed } from '../../ui/behaviour/use-delayed.ts'
import { openEngine, prepareEngine } from './engine-state.ts'
import { useScope } from './use-analytics.ts'

/**
 * The first figures come from the server, and the engine starts after them, because it would compete with
 * them for the network and the CPU. After this time it starts anyway: offline the server never answers.
 */
const START_AFTER_MS = 1500
/** The figures on screen are those asked for during this time before the engine starts: it would compete with a click's as well. */
const CALM_MS = 150
/** So long after the last click of a reader who has begun to click: the next one would wait for the start. */
const CLICKED_CALM_MS = 500
/** A reader who does not stop clicking is answered by the server for so long. */
const LONGEST_CLICKING_MS = 6000
/** For users who see daily totals only: a download of five megabytes is not worth it for a brief visit. */
const SLOW_LINE_MS = 10_000
/** Events that show that the user is interacting with the page. */
const GESTURES = ['pointerdown', 'keydown'] as const
/** Events that may ask for another slice. */
const CLICKS = ['click', 'keydown'] as const

/** What the screen shows: no figures yet, those of the slice before, or those asked for. */
export type ShownFigures = 'none' | 'previous' | 'current'

/**
 * Opens the screen's data on this device, for one model; `null` while the model is unknown. For users without access to
 * the history it waits for their first gesture, while the server answers.
 */
export function useEngine(model: ModelId | null, figures: ShownFigures): void {
  const { regionId, asOf } = useScope()
  const token = useVipToken()
  useEffect(() => {
    if (token) void prepareEngine(baseUrl())
  }, [token])
  const hasFigures = figures !== 'none'
  const late = useDelayed(hasFigures, LONGEST_CLICKING_MS)
  const clicked = useRef(false)
  useEffect(() => {
    if (token === undefined) return undefined
    const open = (): void =>
      void openEngine({ baseUrl: baseUrl(), regionId, model: token === null ? null : model, token }, asOf)
    if (token === null) return openDeferred(open, hasFigures)
    // Opening twice is harmless.
    const calmMs = clicked.current ? CLICKED_CALM_MS : CALM_MS
    let timer = setTimeout(open, late ? 0 : figures === 'current' ? calmMs : START_AFTER_MS)
    const wait = (): void => {
      clicked.current = true
      if (late) return
      clearTimeout(timer)
      timer = setTimeout(open, CLICKED_CALM_MS)
    }
    for (const type of CLICKS) addEventListener(type, wait, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const type of CLICKS) removeEventListener(type, wait, { capture: true })
    }
  }, [regionId, asOf, token, model, figures, hasFigures, late])
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
