import type { ColumnSpec } from '../../analytics/plan.ts'

/** Dataset files that are opened together, as one set of tables. */
export interface OpenFiles {
  /** Names the set: the same key is opened once. */
  key: string
  /** Of a group only the newest set stays open. */
  group: string | null
  files: { path: string; alias: string; tables: string[] }[]
}

export const FORMATS = ['arrow', 'json', 'csv'] as const
export type Format = (typeof FORMATS)[number]

export interface AnalyticsCall {
  id: number
  open: OpenFiles
  /** `null` only opens. */
  sql: string | null
  columns: ColumnSpec[]
  format: Format
}

export type AnalyticsReply =
  | { id: number; ok: true; bytes: Uint8Array; rows: number; milliseconds: number }
  | {
      id: number
      ok: false
      code: 'query-failed' | 'too-large' | 'query-timeout' | 'out-of-memory'
      reason: string
    }
