import { createStore } from '../../data/client/create-store.ts'
import { inTab } from '../../storage/stored-text.ts'

/** What has been tried since the last reset in this tab, and the best of it. */
export interface Tally<Best> {
  /** One key for each different thing tried. */
  keys: readonly string[]
  best: Best | null
}

/** A tally stored for the session under a name; beyond `most` keys the oldest are discarded. */
export function sessionTally<Best extends { returned: number }>(stored: string, most: number) {
  const nothing: Tally<Best> = { keys: [], best: null }
  const read = (): Tally<Best> => {
    const found = inTab.readJson(stored) as Tally<Best> | null
    return found && Array.isArray(found.keys) ? found : nothing
  }
  const tally = createStore(read())
  const change = (next: Tally<Best>): void => {
    // If storage is full or blocked, the count restarts after the next page load.
    inTab.writeJson(stored, next)
    tally.set(next)
  }
  return {
    useTally: (): Tally<Best> => tally.use(),
    /** Counts a new key; `found` is `null` if it has no return for enough bets. */
    add: (key: string, found: Best | null): void => {
      const { keys, best } = tally.now()
      if (keys.includes(key)) return
      const better = found !== null && (best === null || found.returned > best.returned)
      change({ keys: [...keys, key].slice(-most), best: better ? found : best })
    },
    reset: (): void => change(nothing),
  }
}

const MAX_SLICES = 1000

/** Slices viewed since the last reset. */
const viewed = sessionTally<{ address: string; returned: number; bets: number }>(
  'furlong-looked-at',
  MAX_SLICES,
)

export const useViewedSlices = viewed.useTally
export const resetViewedSlices = viewed.reset

/** Counts a slice that is on screen; `found` is its return if it can be stated for enough bets. */
export const lookAt = (
  key: string,
  address: string,
  found: { returned: number; bets: number } | null,
): void => viewed.add(key, found && { address, ...found })
