import { useEffect } from 'react'
import type { ModelId } from '../../../contract/model-ids.ts'
import { baseUrl } from '../api-client.ts'
import { useVipToken } from '../use-session.ts'
import { openEngine, prepareEngine } from './engine-state.ts'
import { useScope } from './use-analytics.ts'

/**
 * The first figures come from the server, and the engine starts after them: it would take the line and the processor from
 * them. Without any for this long it starts all the same: offline the server never answers.
 */
const START_AFTER_MS = 1500

/**
 * Opens the screen's data on this device, for one model; `null` while it is not known which. `answered`: the first figures
 * are on screen.
 */
export function useEngine(model: ModelId | null, answered: boolean): void {
  const { regionId, asOf } = useScope()
  const token = useVipToken()
  useEffect(() => void prepareEngine(baseUrl()), [])
  useEffect(() => {
    if (token === undefined) return undefined
    const open = (): void =>
      void openEngine({ baseUrl: baseUrl(), regionId, model: token === null ? null : model, token }, asOf)
    // After the frame in which the figures are painted; a tab in the background paints none. Twice is as good as once.
    const frame = answered ? requestAnimationFrame(() => setTimeout(open)) : 0
    const timer = setTimeout(open, START_AFTER_MS)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [regionId, asOf, token, model, answered])
}
