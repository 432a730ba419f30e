import { useSyncExternalStore } from 'react'

/** The matches of followed views that the user has seen, stored on this device: all others are new. */
const STORED = 'furlong-seen-matches'
type Seen = Readonly<Record<string, readonly string[]>>

const listeners = new Set<() => void>()
let seen: Seen | null = null

function read(): Seen {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '{}')
    return typeof stored === 'object' && stored !== null ? (stored as Seen) : {}
  } catch {
    return {}
  }
}

const now = (): Seen => (seen ??= read())

function subscribe(listener: () => void): () => void {
  const other = (event: StorageEvent): void => {
    if (event.key !== STORED) return
    seen = null
    listener()
  }
  listeners.add(listener)
  globalThis.addEventListener('storage', other)
  return () => {
    listeners.delete(listener)
    globalThis.removeEventListener('storage', other)
  }
}

export const useSeenMatches = (): Seen => useSyncExternalStore(subscribe, now)

/**
 * Stores the matches of a view that are on screen (`shown`), in addition to those seen before that still
 * match (`all`); matches of past races are discarded.
 */
export function markSeen(viewId: string, shown: readonly string[], all: readonly string[]): void {
  const before = now()[viewId] ?? []
  const keys = all.filter((key) => shown.includes(key) || before.includes(key))
  if (viewId in now() && before.length === keys.length && keys.every((key) => before.includes(key))) return
  seen = { ...now(), [viewId]: keys }
  try {
    localStorage.setItem(STORED, JSON.stringify(seen))
  } catch {
    // Storage is full or blocked: matches are marked as new again after the next page load.
  }
  for (const listener of listeners) listener()
}
