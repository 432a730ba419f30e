import type { OwnColumn } from '../../../analytics/own-api.ts'
import { createStore } from '../client/create-store.ts'
import type { FilledSlot } from '../../../analytics/own-slots.ts'

/** The matched rows of the user's own file for the console, in one region. */
export interface OwnTable {
  regionId: string
  /** A DuckDB database with the table `own_data`. */
  bytes: Uint8Array<ArrayBuffer>
  /** The columns of the user's file. */
  columns: readonly Pick<OwnColumn, 'column' | 'kind'>[]
  /** Number columns that are no keys: they fill the slots of the workspace. */
  numbers: readonly Pick<OwnColumn, 'column' | 'name'>[]
}

const table = createStore<OwnTable | null>(null)

export const setOwnTable = table.set

export const ownTableNow = table.now

/** Calls the listener whenever the table changes. */
export const onOwnTable = table.listen

/** The user's own rows in a region; `null` without any. */
export const useOwnTable = (regionId: string): OwnTable | null =>
  table.use((own) => (own?.regionId === regionId ? own : null))

/** What the engine has of the user's own file: slots of the workspace's model, in one region. */
export interface OwnSlots {
  regionId: string
  /** Distinguishes the rows from those loaded before: answers of both are in the query cache. */
  version: number
  slots: readonly FilledSlot[]
}

const current = createStore<OwnSlots | null>(null)
let versions = 0

/** Sets the slots that the engine has filled; `null` while it has none. */
export function setOwnSlots(next: Pick<OwnSlots, 'regionId' | 'slots'> | null): void {
  if (next === null && current.now() === null) return
  versions += 1
  current.set(next === null ? null : { ...next, version: versions })
}

const ofRegion = (own: OwnSlots | null, regionId: string): OwnSlots | null =>
  own?.regionId === regionId ? own : null

export const ownSlotsNow = (regionId: string): OwnSlots | null => ofRegion(current.now(), regionId)

/** The slots of a region; `null` where the user has no file open. */
export const useOwnSlots = (regionId: string): OwnSlots | null =>
  current.use((own) => ofRegion(own, regionId))
