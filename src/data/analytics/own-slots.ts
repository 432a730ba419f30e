import { useSyncExternalStore } from 'react'
import type { FilledSlot } from '../../../analytics/own-slots.ts'

/** What the engine has of the user's own file: slots of the workspace's model, in one region. */
export interface OwnSlots {
  regionId: string
  /** Distinguishes the rows from those loaded before: answers of both are in the query cache. */
  version: number
  slots: readonly FilledSlot[]
}

let current: OwnSlots | null = null
let versions = 0
const listeners = new Set<() => void>()

/** Sets the slots that the engine has filled; `null` while it has none. */
export function setOwnSlots(next: Pick<OwnSlots, 'regionId' | 'slots'> | null): void {
  if (next === null && current === null) return
  versions += 1
  current = next === null ? null : { ...next, version: versions }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const ownSlotsNow = (regionId: string): OwnSlots | null =>
  current?.regionId === regionId ? current : null

/** The slots of a region; `null` where the user has no file open. */
export const useOwnSlots = (regionId: string): OwnSlots | null =>
  useSyncExternalStore(subscribe, () => ownSlotsNow(regionId))
