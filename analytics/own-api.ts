import type { Filter } from './filter.ts'
import type { OpenedDataset, OpenRequest, Reply } from './engine-api.ts'
import type { OwnKind, OwnRoles } from '../domain/own-columns.ts'
import type { Comparison } from '../domain/own-compare.ts'
import type { RatioOfGroups } from '../domain/statistics.ts'

export const MAX_OWN_BYTES = 200_000_000
export const MAX_OWN_ROWS = 5_000_000
export const MAX_OWN_COLUMNS = 200
/** Rows without a starter that are listed on screen; a file has all of them. */
export const LISTED_UNMATCHED = 200
/** The table of the console that has the matched rows. */
export const OWN_TABLE = 'own_data'

/** What is wrong with a file; the screen has a message for each. Carried by the error `own-file`. */
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
  /** As the file names it. */
  name: string
  /** As the table `own_data` names it. */
  column: string
  kind: OwnKind
  /** Cells that are not empty. */
  filled: number
  /** Cells that are not what the others are, and the line of the first; they are taken as empty. */
  odd: number
  oddLine: number | null
  example: string
}

export interface OwnFile {
  rows: number
  columns: OwnColumn[]
  roles: OwnRoles
}

/** Why a row has no starter: keys missing or not readable, no such race, two such races, no such horse, or an earlier row has it. */
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
  /** Edges of a group of a number column. */
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

/** A file that the reader chose: what is used of the browser's `File`. */
export interface OwnSource {
  readonly size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** A reader's own file beside the dataset, in a worker with an engine of its own. Nothing of it leaves the device. */
export interface OwnApi {
  /** Starts the engine and opens a region's files. */
  open(request: OpenRequest): Promise<Reply<{ dataset: OpenedDataset }>>
  /** Reads a CSV or Parquet file in the place of the one before. Throws `own-file`, `query-cancelled`, `out-of-memory`. */
  read(file: OwnSource, onProgress: (progress: OwnProgress) => void): Promise<Reply<{ file: OwnFile }>>
  /** Ends a reading. */
  cancel(): Promise<void>
  /** Finds the starter of each row. Throws `own-file` where keys are missing or nothing matches. */
  match(roles: OwnRoles): Promise<Reply<{ match: OwnMatch }>>
  /** The reader's probabilities against the model's and the market's, on the races of a filter. */
  compare(where: Filter | null): Promise<Reply<{ comparison: Comparison }>>
  /** Starters grouped by a column of the file: five groups of a number, the twelve most frequent texts. */
  breakdown(column: number, where: Filter | null): Promise<Reply<{ groups: OwnGroup[] }>>
  /** Every row without a starter as CSV. */
  unmatched(): Promise<Reply<{ text: string }>>
  /** The matched rows as a DuckDB database with the table `own_data`. */
  table(): Promise<Reply<{ bytes: Uint8Array<ArrayBuffer> }>>
}
