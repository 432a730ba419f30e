import { useSyncExternalStore } from 'react'

/**
 * The days on which held-back seasons were revealed, stored on this device: a step back in the browser's history
 * must not make a second reveal look like the first.
 */
const STORED = 'furlong-revealed-seasons'
type Revealed = Readonly<Record<string, string>>

const listeners = new Set<() => void>()
let revealed: Revealed | null = null

function read(): Revealed {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '{}')
    return typeof stored === 'object' && stored !== null ? (stored as Revealed) : {}
  } catch {
    return {}
  }
}

const now = (): Revealed => (revealed ??= read())

function subscribe(listener: () => void): () => void {
  const other = (event: StorageEvent): void => {
    if (event.key !== STORED) return
    revealed = null
    listener()
  }
  listeners.add(listener)
  globalThis.addEventListener('storage', other)
  return () => {
    listeners.delete(listener)
    globalThis.removeEventListener('storage', other)
  }
}

/** A season of a region, as seen by one customer of this device. */
export interface RevealedSeason {
  regionId: string
  /** `null` for a visitor. */
  customerId: string | null
  season: number
}

const keyOf = ({ regionId, customerId, season }: RevealedSeason): string =>
  `${customerId ?? ''} ${regionId} ${season}`

/** The day on which a season was first revealed (yyyy-mm-dd); `null` if it was not, or if there is none. */
export const useRevealedOn = (of: RevealedSeason | null): string | null => {
  const days = useSyncExternalStore(subscribe, now)
  return of === null ? null : (days[keyOf(of)] ?? null)
}

/** Stores that a season was revealed on a day, unless it was revealed before. */
export function markRevealed(of: RevealedSeason, day: string): void {
  if (keyOf(of) in now()) return
  revealed = { ...now(), [keyOf(of)]: day }
  try {
    localStorage.setItem(STORED, JSON.stringify(revealed))
  } catch {
    // Storage is full or blocked: only the address and this tab know of the reveal.
  }
  for (const listener of listeners) listener()
}
