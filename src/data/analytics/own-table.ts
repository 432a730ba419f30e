import type { OwnColumn } from '../../../analytics/own-api.ts'
import { createStore } from '../client/create-store.ts'

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
