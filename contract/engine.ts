import type { ErrorCode, ErrorDetails } from '../domain/errors.ts'
import type { Origin } from './record-vocabulary.ts'
import type { GridFilter, QueryName, RecordFilter, RecordSort } from './queries.ts'

/** An error as it crosses the worker's door: a thrown one would lose its class on the way. */
export interface EngineError {
  code: ErrorCode
  details: ErrorDetails
}

export type Reply<Value> = ({ ok: true } & Value) | { ok: false; error: EngineError }

export interface OpenRequest {
  /** Address of the site, with a closing slash; everything is fetched below it. */
  baseUrl: string
  regionId: string
  /** The reader's right, `null` for a visitor. */
  token: string | null
  /** What the engine may use at most: small devices would rather be told than lose the tab. */
  memoryLimitMb: number
}

/** What was opened. */
export interface OpenedDataset {
  asOf: string
  demonstration: boolean
  regionId: string
  /** The whole history is open, not only the last seven days and the daily totals. */
  history: boolean
  files: number
  bytes: number
  /** Bytes that came over the network; the rest was in the cache. */
  fetchedBytes: number
  /** The manifest is the one of an earlier visit: there was no connection. */
  offline: boolean
  from: string | null
  to: string | null
}

export interface RunAnswer {
  /** The rows as one Arrow IPC stream. */
  bytes: Uint8Array<ArrayBuffer>
  /** Whether pre-aggregated totals answered, or the predictions themselves. */
  source: 'cube' | 'rows'
  /** Time in the engine, without the door. */
  milliseconds: number
}

export interface ExportRequest {
  filter: RecordFilter
  grid: GridFilter[]
  sort: RecordSort[]
  language: 'en' | 'hant' | 'hans'
  /** Headings by column, in the reader's language and in this order. */
  headings: Record<string, string>
  /** Words for outcomes, bet types and stadiums' fallback, in the reader's language. */
  outcomes: Record<'hit' | 'miss' | 'void', string>
  origins: Record<Origin, string>
  gameplays: Record<string, string>
}

export type EngineProgress =
  | { stage: 'starting' }
  | { stage: 'fetching'; doneBytes: number; totalBytes: number }
  | { stage: 'opening'; files: number }

/** News that the socket brought after the files were built: one row a horse, with the instant it was told. */
export type LiveRow =
  | { kind: 'odds'; raceId: string; at: string; horseNumber: number; odds: number }
  | { kind: 'result'; raceId: string; at: string; horseNumber: number; place: number }
  | { kind: 'tip'; raceId: string; at: string; horseNumber: number; rank: number; probability: number }

export interface EngineMemory {
  usedBytes: number
  limitBytes: number
}

/**
 * The data engine's only door, at the two ends of a Comlink channel. Requests carry an id of the caller's, for an abort
 * signal cannot be sent.
 */
export interface EngineDoor {
  /** Starts the engine when needed and opens a region's files. */
  open(request: OpenRequest): Promise<Reply<{ dataset: OpenedDataset }>>
  run(name: QueryName, parameters: unknown, requestId: number): Promise<Reply<RunAnswer>>
  /** Stops a request that is waiting or running; its reply becomes `query-cancelled`. */
  cancel(requestId: number): Promise<void>
  /** The whole filtered record as a CSV file (UTF-8 with byte order mark). */
  exportCsv(
    request: ExportRequest,
    requestId: number,
  ): Promise<Reply<{ bytes: Uint8Array<ArrayBuffer>; rows: number }>>
  /** Adds rows to the tables of news (`live_odds`, `live_result`, `live_tip`); one that is there already is replaced. */
  live(rows: readonly LiveRow[]): Promise<Reply<{ rows: number }>>
  onProgress(listener: (progress: EngineProgress) => void): Promise<void>
  memory(): Promise<Reply<EngineMemory>>
}
