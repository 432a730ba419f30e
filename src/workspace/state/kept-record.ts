import { useSyncExternalStore } from 'react'

/** A record in the browser's storage on this device, which every tab of the site shares. */
export interface KeptRecord<Value> {
  now(): Readonly<Record<string, Value>>
  /** The record, and each of its changes, also those of another tab. */
  use(): Readonly<Record<string, Value>>
  /** Stores one entry. If storage is full or blocked, only this tab knows of it. */
  set(key: string, value: Value): void
}

/** The record that is stored under a name; empty where nothing readable is. */
export function keptRecord<Value>(name: string): KeptRecord<Value> {
  type Entries = Readonly<Record<string, Value>>
  const listeners = new Set<() => void>()
  let entries: Entries | null = null

  function read(): Entries {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(name) ?? '{}')
      return typeof stored === 'object' && stored !== null ? (stored as Entries) : {}
    } catch {
      return {}
    }
  }

  const now = (): Entries => (entries ??= read())

  function subscribe(listener: () => void): () => void {
    const other = (event: StorageEvent): void => {
      if (event.key !== name) return
      entries = null
      listener()
    }
    listeners.add(listener)
    globalThis.addEventListener('storage', other)
    return () => {
      listeners.delete(listener)
      globalThis.removeEventListener('storage', other)
    }
  }

  return {
    now,
    use: () => useSyncExternalStore(subscribe, now),
    set: (key, value) => {
      entries = { ...now(), [key]: value }
      try {
        localStorage.setItem(name, JSON.stringify(entries))
      } catch {
        // Storage is full or blocked.
      }
      for (const listener of listeners) listener()
    },
  }
}
