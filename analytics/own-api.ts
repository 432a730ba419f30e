import type { Filter } from './filter.ts'
import type { OpenedDataset, OpenRequest, Reply } from './engine-api.ts'
import type { OwnRoles } from '../domain/reading/own-columns.ts'
import type { Comparison } from '../domain/own-compare.ts'
import type { ColumnKind, FileSign } from '../domain/reading/guess-kind.ts'
import type { DayOrder } from '../domain/reading/read-day.ts'
import type { DecimalSign } from '../domain/reading/read-number.ts'
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
  'other-sheet',
  'archive',
  'several-tables',
  'sheet',
  'json',
  'encoding',
  'line-endings',
  'no-header',
  'no-rows',
  'one-column',
  'too-many-columns',
  'too-many-rows',
  'too-few-cells',
  'too-many-cells',
  'quote',
  'line-too-long',
  'parquet',
  'no-keys',
  'empty-column',
  'bad-date',
  'bad-number',
  'bad-probability',
  'no-match',
] as const
export type OwnProblem = (typeof OWN_PROBLEMS)[number]

/** Encodings of a text file; those that are not marked in the file are guessed, and can be chosen. */
export const OWN_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'big5',
  'gb18030',
  'shift_jis',
  'windows-1252',
] as const
export type OwnEncoding = (typeof OWN_ENCODINGS)[number]

/** What the reader decides where a file can be read in several ways; `null`: as the file itself suggests. */
export interface OwnChoices {
  encoding: OwnEncoding | null
  decimal: DecimalSign | null
  dayOrder: DayOrder | null
}
export const NO_CHOICES: OwnChoices = { encoding: null, decimal: null, dayOrder: null }

/** What was assumed or left out when a file was read; the UI has a message for each. */
type OwnNoteKind =
  /** `entry` of an archive was read. */
  | 'unpacked'
  | 'gunzipped'
  /** The sheet `sheet` of `count` sheets was read. */
  | 'sheet'
  /** `count` lines before the names of the columns were skipped. */
  | 'above'
  /** The columns `columns`, by number, have no name and were left out. */
  | 'left-out'
  /** The `count` columns without a name were given one. */
  | 'named'
  /** `count` columns with the name of another were numbered. */
  | 'numbered'
  /** `column` only counts the rows. */
  | 'counter'
  /** `column` is text for a cell, `value` on `line`, although others look like numbers. */
  | 'not-numbers'
  /** `column` has fractional odds. */
  | 'odds'
  /** `column` has days as spreadsheets count them. */
  | 'serial-days'

export interface OwnNote {
  note: OwnNoteKind
  values: Readonly<Record<string, string | number>>
}

export interface OwnColumn {
  /** Name in the file, or the one that it was given. */
  name: string
  /** Name in the table `own_data`. */
  column: string
  kind: ColumnKind
  /** Number of cells with a value. */
  filled: number
  /** Number of cells whose type differs from the others', and the first; they are treated as empty. */
  odd: number
  oddLine: number | null
  oddValue: string | null
  /** The first value of a sample; empty if there is none. */
  example: string
  /** It only counts the rows: it takes no slot. */
  counts: boolean
}

export interface OwnFile {
  rows: number
  columns: OwnColumn[]
  roles: OwnRoles
  /** `null` for a file that is not text. */
  encoding: OwnEncoding | null
  sign: FileSign
  notes: OwnNote[]
}

/**
 * Why a row has no starter: keys are missing, or a saddle number cannot be read; no such race, two such races, or the
 * race id and the other keys name different races; no such horse, or saddle number and horse disagree; or an earlier
 * row has that starter already.
 */
export const UNMATCHED_REASONS = [
  'no-key',
  'unread-number',
  'no-race',
  'two-races',
  'race-disagrees',
  'no-horse',
  'horse-disagrees',
  'twice',
] as const
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number]

/** How the days of a file are read if the order of day, month and year makes a difference. */
export interface OwnDays {
  order: DayOrder
  /** `chosen` by the reader; the only order that is `possible`; the one with most `matched` rows; or `assumed`. */
  by: 'chosen' | 'possible' | 'matched' | 'assumed'
  /** The orders that can be chosen. */
  orders: DayOrder[]
  /** A cell, and its day as `yyyy-mm-dd`. */
  example: string
  day: string
}

export interface OwnMatch {
  rows: number
  /** 0 if no row has a runner of the region. */
  matched: number
  races: number
  unmatched: Record<UnmatchedReason, number>
  listed: { line: number; reason: UnmatchedReason; text: string }[]
  days: OwnDays | null
}

export interface OwnGroup {
  /** `null`: starters without a value. */
  label: string | null
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
  /** Reads a table, replacing the previous one. Throws `own-file`, `query-cancelled`, `out-of-memory`. */
  read(
    file: OwnSource,
    choices: OwnChoices,
    onProgress: (progress: OwnProgress) => void,
  ): Promise<Reply<{ file: OwnFile }>>
  /** Cancels a running `read`. */
  cancel(): Promise<void>
  /** Finds the starter of each row. Throws `own-file` if keys are missing or no day can be read. */
  match(roles: OwnRoles, dayOrder: DayOrder | null): Promise<Reply<{ match: OwnMatch }>>
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
