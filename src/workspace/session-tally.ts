import { useSyncExternalStore } from 'react'

/** What was tried since the last reset, in this tab alone, and the best of it. */
export interface Tally<Best> {
  /** One for each different thing that was tried. */
  keys: readonly string[]
  best: Best | null
}

/** A tally that is kept for the session under a name; beyond `most` keys the oldest are forgotten. */
export function sessionTally<Best extends { returned: number }>(stored: string, most: number) {
  const nothing: Tally<Best> = { keys: [], best: null }
  const read = (): Tally<Best> => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(stored) ?? 'null') as Tally<Best> | null
      return kept && Array.isArray(kept.keys) ? kept : nothing
    } catch {
      return nothing
    }
  }
  let tally: Tally<Best> | null = null
  const listeners = new Set<() => void>()
  const now = (): Tally<Best> => (tally ??= read())
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const change = (next: Tally<Best>): void => {
    tally = next
    try {
      sessionStorage.setItem(stored, JSON.stringify(next))
    } catch {
      // A full or forbidden store: the count begins anew with the next page.
    }
    for (const listener of listeners) listener()
  }
  return {
    useTally: (): Tally<Best> => useSyncExternalStore(subscribe, now),
    /** Counts what is new; `found` is `null` where it tells no return of enough bets. */
    add: (key: string, found: Best | null): void => {
      const { keys, best } = now()
      if (keys.includes(key)) return
      const better = found !== null && (best === null || found.returned > best.returned)
      change({ keys: [...keys, key].slice(-most), best: better ? found : best })
    },
    reset: (): void => change(nothing),
  }
}
