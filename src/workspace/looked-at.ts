import { useSyncExternalStore } from 'react'

/** Slices that were looked at since the last reset, in this tab alone. */
export interface LookedAt {
  keys: readonly string[]
  best: { address: string; returned: number; bets: number } | null
}

const STORED = 'furlong-looked-at'
const NOTHING: LookedAt = { keys: [], best: null }
const MAX_KEYS = 1000

function read(): LookedAt {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as LookedAt | null
    return stored && Array.isArray(stored.keys) ? stored : NOTHING
  } catch {
    return NOTHING
  }
}

let looked: LookedAt | null = null
const listeners = new Set<() => void>()

function change(next: LookedAt): void {
  looked = next
  try {
    sessionStorage.setItem(STORED, JSON.stringify(next))
  } catch {
    // A full or forbidden store: the count begins anew with the next page.
  }
  for (const listener of listeners) listener()
}

const now = (): LookedAt => (looked ??= read())

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLookedAt = (): LookedAt => useSyncExternalStore(subscribe, now)

/** Counts a slice that is on screen; `found` is its return where one can be told of enough bets. */
export function lookAt(key: string, address: string, found: { returned: number; bets: number } | null): void {
  const { keys, best } = now()
  if (keys.includes(key)) return
  const better = found !== null && (best === null || found.returned > best.returned)
  change({ keys: [...keys, key].slice(-MAX_KEYS), best: better ? { address, ...found } : best })
}

export const resetLookedAt = (): void => change(NOTHING)
