import { createStore } from '../../data/client/create-store.ts'
import { onDevice } from '../../storage/stored-text.ts'

/** A record in the browser's storage on this device, which every tab of the site shares; empty where nothing readable is. */
export function storedRecord<Value>(name: string) {
  type Entries = Readonly<Record<string, Value>>
  const read = (): Entries => {
    const stored = onDevice.readJson(name)
    return typeof stored === 'object' && stored !== null ? (stored as Entries) : {}
  }
  const record = createStore(read(), (set) => {
    const follow = ({ key }: StorageEvent): void => {
      if (key === name) set(read())
    }
    globalThis.addEventListener('storage', follow)
    return () => globalThis.removeEventListener('storage', follow)
  })
  return {
    now: record.now,
    /** The record, and each of its changes, also those of another tab. */
    use: (): Entries => record.use(),
    /** Stores one entry. If storage is full or blocked, only this tab knows of it. */
    set: (key: string, value: Value): void => {
      const entries = { ...record.now(), [key]: value }
      onDevice.writeJson(name, entries)
      record.set(entries)
    },
  }
}
