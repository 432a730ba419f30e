import type { AnalyticsLimits } from '../process/env.ts'
import type { ColumnSpec } from '../../analytics/plan.ts'
import type { ErrorDetails } from '../../domain/errors.ts'

/** Dataset files that are opened together, as one set of tables. */
export interface OpenFiles {
  /** Identifies the set: sets with the same key are opened once. */
  key: string
  /** Only the newest set of a group stays open; `null` if the set is in no group. */
  group: string | null
  /** Only races and their totals are in memory. */
  totalsOnly: boolean
  files: { path: string; alias: string; tables: string[] }[]
}

/** Sets that a process keeps open; the least recently used is closed first. */
export const OPEN_SETS = 6

export type Format = 'arrow' | 'json' | 'csv'

/** The process's only argument, as JSON. `spillFolder` belongs to this process alone. */
export interface AnalyticsSetup extends Pick<AnalyticsLimits, 'memoryMib'> {
  spillFolder: string
}

export interface AnalyticsCall {
  id: number
  open: OpenFiles
  /** `null` only opens the files. */
  sql: string | null
  columns: ColumnSpec[]
  format: Format
  /** How long the query may run, and how many rows the answer may have. */
  limits: Pick<AnalyticsLimits, 'seconds' | 'rows'>
}

/** What the process is sent: a call, or the id of one that nobody waits for any more. */
export type AnalyticsMessage = AnalyticsCall | { cancel: number }

export type AnalyticsReply =
  | { id: number; ok: true; bytes: Uint8Array; rows: number; milliseconds: number }
  | {
      id: number
      ok: false
      code: 'query-failed' | 'query-cancelled' | 'too-many-rows' | 'server-timeout' | 'server-memory'
      details: ErrorDetails
    }
