import { useSyncExternalStore } from 'react'
import type { OwnColumn } from '../../../analytics/own-api.ts'

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

let table: OwnTable | null = null
const listeners = new Set<() => void>()

export function setOwnTable(next: OwnTable | null): void {
  table = next
  for (const listener of listeners) listener()
}

export const ownTableNow = (): OwnTable | null => table

/** Calls the listener whenever the table changes. */
export function onOwnTable(listener: () => void): void {
  listeners.add(listener)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The user's own rows in a region; `null` without any. */
export const useOwnTable = (regionId: string): OwnTable | null =>
  useSyncExternalStore(subscribe, () => (table?.regionId === regionId ? table : null))
