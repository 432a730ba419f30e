import type { ErrorCode, ErrorDetails } from '../domain/errors.ts'
import type { ModelId } from '../contract/model-ids.ts'
import type { BrushRequest } from './brush.ts'
import type { Answer, Priority } from './connector.ts'
import type { Scalar } from './model.ts'
import type { ColumnSpec } from './plan.ts'
import type { Request } from './request.ts'
import type { AllRows } from './rows.ts'

/** An error as it crosses the channel: a thrown one would lose its class on the way. */
export interface EngineError {
  code: ErrorCode
  details: ErrorDetails
}

export type Reply<Value> = ({ ok: true } & Value) | { ok: false; error: EngineError }

export interface OpenRequest {
  /** Address of the site, with a closing slash; everything is fetched below it. */
  baseUrl: string
  regionId: string
  /** Model whose records are opened; `null` opens what needs none. */
  model: ModelId | null
  /** The newest season alone, which answers first, or all of them. */
  seasons: 'newest' | 'all'
  /** The reader's right, `null` for a visitor. */
  token: string | null
  /** Reasons and odds over time too, which the panels ask the server for. */
  extra?: boolean
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
  model: ModelId | null
  /** First day from which every season is open; `null`: all seasons are. */
  since: string | null
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

/** Options of a run; the id is the caller's, for an abort signal cannot be sent. */
export interface RunCall {
  requestId: number
  priority: Priority
}

/** Rows as an Arrow IPC stream, with columns by name and type. */
export interface RowsPage {
  bytes: Uint8Array<ArrayBuffer>
  columns: ColumnSpec[]
}

/** An index for a brush: its cells, and what one position answers. */
export interface BrushAnswer {
  bytes: Uint8Array<ArrayBuffer>
  columns: ColumnSpec[]
  milliseconds: number
}

/** The engine in the worker, at the two ends of a Comlink channel. */
export interface EngineApi {
  /** Loads the engine's script before it is known what is to be opened, and compiles the engine if asked to. */
  prepare(baseUrl: string, compile: boolean): Promise<void>
  /** Starts the engine when needed and opens a region's files. */
  open(request: OpenRequest): Promise<Reply<{ dataset: OpenedDataset }>>
  run(request: Request, call: RunCall): Promise<Reply<{ answer: Answer }>>
  /** Runs questions for their own sake while nothing else is to be done, until the browser has compiled the code they need. */
  warmUp(requests: readonly Request[]): Promise<void>
  /** Makes the index for a brush; it takes the place of the one before. */
  index(request: BrushRequest, call: RunCall): Promise<Reply<{ answer: BrushAnswer }>>
  /** Figures of one position of the brush, both ends included. */
  step(from: Scalar, to: Scalar, call: RunCall): Promise<Reply<{ answer: BrushAnswer }>>
  /** Stops a request that is waiting or running; its reply becomes `query-cancelled`. */
  cancel(requestId: number): Promise<void>
  /** Every row of a question, some thousand at a time; whoever takes them is waited for. */
  exportRows(
    request: AllRows,
    onPage: (page: RowsPage) => Promise<void>,
    call: RunCall,
  ): Promise<Reply<object>>
  /** Every row of a question as a DuckDB database with one table, which is named after the model. */
  exportDatabase(
    request: AllRows,
    call: RunCall,
  ): Promise<Reply<{ bytes: Uint8Array<ArrayBuffer>; rows: number }>>
  /** Adds rows to the tables of news (`live_odds`, `live_result`, `live_tip`); one that is there already is replaced. */
  live(rows: readonly LiveRow[]): Promise<Reply<{ rows: number }>>
  onProgress(listener: (progress: EngineProgress) => void): Promise<void>
  memory(): Promise<Reply<EngineMemory>>
}
