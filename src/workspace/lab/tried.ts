import { useSyncExternalStore } from 'react'
import { bestByChance } from '../../../domain/statistics.ts'

/** Variants that were tried since the last reset, in this tab alone: the best of many looks good by chance. */
export interface Tried {
  keys: readonly string[]
  best: { returned: number; standardError: number } | null
}

const STORED = 'furlong-lab-tried'
const NOTHING: Tried = { keys: [], best: null }
const MAX_KEYS = 2000

function read(): Tried {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as Tried | null
    return stored && Array.isArray(stored.keys) ? stored : NOTHING
  } catch {
    return NOTHING
  }
}

let tried: Tried | null = null
const listeners = new Set<() => void>()
const now = (): Tried => (tried ??= read())

function change(next: Tried): void {
  tried = next
  try {
    sessionStorage.setItem(STORED, JSON.stringify(next))
  } catch {
    // A full or forbidden store: the count begins anew with the next page.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTried = (): Tried => useSyncExternalStore(subscribe, now)

/** Counts a variant that rests on screen. */
export function tryVariant(key: string, found: Tried['best']): void {
  const { keys, best } = now()
  if (keys.includes(key)) return
  const better = found !== null && (best === null || found.returned > best.returned)
  change({ keys: [...keys, key].slice(-MAX_KEYS), best: better ? found : best })
}

export const resetTried = (): void => change(NOTHING)

/** The best return less what the best of so many would gain by chance alone. */
export const corrected = ({ keys, best }: Tried): number | null =>
  best === null ? null : best.returned - bestByChance(keys.length) * best.standardError
