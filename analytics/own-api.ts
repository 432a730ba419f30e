import type { Filter } from './filter.ts'
import type { OpenedDataset, OpenRequest, Reply } from './engine-api.ts'
import type { OwnKind, OwnRoles } from '../domain/own-columns.ts'
import type { Comparison } from '../domain/own-compare.ts'
import type { RatioOfGroups } from '../domain/statistics.ts'

export const MAX_OWN_BYTES = 200_000_000
export const MAX_OWN_ROWS = 5_000_000
export const MAX_OWN_COLUMNS = 200
/** Maximum rows without a starter that are listed on screen; the CSV file has all of them. */
export const LISTED_UNMATCHED = 200
/** The console's table of the matched rows. */
export const OWN_TABLE = 'own_data'

/** Problems with a file, as carried by the error `own-file`; the UI has a message for each. */
export const OWN_PROBLEMS = [
  'empty',
  'too-large',
  'not-table',
  'utf16',
  'encoding',
  'line-endings',
  'no-header',
  'no-rows',
  'one-column',
  'unnamed-column',
  'same-column',
  'too-many-columns',
  'too-many-rows',
  'too-few-cells',
  'too-many-cells',
  'quote',
  'line-too-long',
  'parquet',
  'no-keys',
  'bad-date',
  'bad-number',
  'bad-probability',
  'no-match',
] as const
export type OwnProblem = (typeof OWN_PROBLEMS)[number]

export interface OwnColumn {
  /** Name in the file. */
  name: string
  /** Name in the table `own_data`. */
  column: string
  kind: OwnKind
  /** Number of non-empty cells. */
  filled: number
  /**
   * Number of cells whose type differs from the others', and the line of the first;
   * they are treated as empty.
   */
  odd: number
  oddLine: number | null
  example: string
}

export interface OwnFile {
  rows: number
  columns: OwnColumn[]
  roles: OwnRoles
}

/**
 * Why a row has no starter: missing or unreadable keys, no such race, two such races, no such horse, or an
 * earlier row has that starter already.
 */
export const UNMATCHED_REASONS = ['no-key', 'no-race', 'two-races', 'no-horse', 'twice'] as const
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number]

export interface OwnMatch {
  rows: number
  matched: number
  races: number
  unmatched: Record<UnmatchedReason, number>
  listed: { line: number; reason: UnmatchedReason; text: string }[]
}

export interface OwnGroup {
  label: string
  /** Bounds of a group of a number column. */
  from: number | null
  to: number | null
  starters: number
  winners: number
  expectedMarket: number | null
  return: RatioOfGroups | null
}

export interface OwnProgress {
  doneBytes: number
  totalBytes: number
}

/** A file that the user chose: the part of the browser's `File` that is used. */
export interface OwnSource {
  readonly size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/**
 * The API for the user's own file, in a worker with a separate engine. Nothing in the file leaves the device.
 */
export interface OwnApi {
  /** Starts the engine and opens a region's files. */
  open(request: OpenRequest): Promise<Reply<{ dataset: OpenedDataset }>>
  /**
   * Reads a CSV or Parquet file, replacing the previous one. Throws `own-file`,
   * `query-cancelled`, `out-of-memory`.
   */
  read(file: OwnSource, onProgress: (progress: OwnProgress) => void): Promise<Reply<{ file: OwnFile }>>
  /** Cancels a running `read`. */
  cancel(): Promise<void>
  /** Finds the starter of each row. Throws `own-file` if keys are missing or nothing matches. */
  match(roles: OwnRoles): Promise<Reply<{ match: OwnMatch }>>
  /** Compares the user's probabilities with the model's and the market's, on the races of a filter. */
  compare(where: Filter | null): Promise<Reply<{ comparison: Comparison }>>
  /**
   * Groups starters by a column of the file: five groups for a number, the twelve most
   * frequent values for a text.
   */
  breakdown(column: number, where: Filter | null): Promise<Reply<{ groups: OwnGroup[] }>>
  /** Every row without a starter as CSV. */
  unmatched(): Promise<Reply<{ text: string }>>
  /** The matched rows as a DuckDB database with the table `own_data`. */
  table(): Promise<Reply<{ bytes: Uint8Array<ArrayBuffer> }>>
}
