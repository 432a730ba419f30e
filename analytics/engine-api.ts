import type { ErrorCode, ErrorDetails } from '../domain/errors.ts'
import type { ModelId } from '../contract/model-ids.ts'
import type { Answer, Priority } from './connector.ts'
import type { FilledSlot } from './own-slots.ts'
import type { BrushStep, IndexRequest } from './panel-index.ts'
import type { ColumnSpec } from './plan.ts'
import type { CheckedRequest } from './request.ts'
import type { AllRows } from './rows.ts'

/** An error in a form that survives the channel: a thrown error would lose its class. */
export interface EngineError {
  code: ErrorCode
  details: ErrorDetails
}

export type Reply<Value> = ({ ok: true } & Value) | { ok: false; error: EngineError }

export interface OpenRequest {
  /** Base URL of the site, with a trailing slash; everything is fetched below it. */
  baseUrl: string
  regionId: string
  /** Model whose records are opened; `null` opens only the files that belong to no model. */
  model: ModelId | null
  /** Models whose records are opened beside its own. */
  otherModels?: readonly ModelId[]
  /** Open only the newest season, which loads first, or all seasons. */
  seasons: 'newest' | 'all'
  /** The user's access token; `null` for a visitor. */
  token: string | null
  /** Also open the details of starters. */
  details?: boolean
  /** Also open what sectional times say of their runs. */
  sections?: boolean
  /**
   * Also open feature contributions and odds over time, which the panels otherwise request from the server.
   */
  extra?: boolean
  /** Memory limit of the engine: on a small device an error is better than a crashed tab. */
  memoryLimitMb: number
}

/** Describes what was opened. */
export interface OpenedDataset {
  asOf: string
  demonstration: boolean
  regionId: string
  /** Whether the whole history is open, not only the seven days up to the last race day and the daily totals. */
  history: boolean
  /** Whether the details of starters, and what sectional times say of their runs, are open. */
  details: boolean
  sections: boolean
  files: number
  bytes: number
  /** Bytes fetched over the network; the rest came from the cache. */
  fetchedBytes: number
  /** Whether the manifest is that of an earlier visit, because there was no connection. */
  offline: boolean
  from: string | null
  to: string | null
  model: ModelId | null
  /** First day from which all rows are open; `null` if all seasons are. */
  since: string | null
}

export type EngineProgress =
  | { stage: 'starting' }
  | { stage: 'fetching'; doneBytes: number; totalBytes: number }
  | { stage: 'opening'; files: number }
  /** Everything is open; until `made`, tables are made that answer most questions several times faster. */
  | { stage: 'making' }
  | { stage: 'made' }

/**
 * Updates that the socket delivered after the files were built: one row per horse, with the
 * instant it was reported.
 */
export type LiveRow =
  | { kind: 'odds'; raceId: string; at: string; horseNumber: number; odds: number }
  | { kind: 'result'; raceId: string; at: string; horseNumber: number; place: number }
  | { kind: 'tip'; raceId: string; at: string; horseNumber: number; rank: number; probability: number }

/** The matched rows of the user's own file, for the engine of the workspace. */
export interface OwnRows {
  /** A DuckDB database with the table `own_data`. */
  bytes: Uint8Array<ArrayBuffer>
  /** Number columns that fill slots, in this order. */
  columns: readonly { column: string; name: string }[]
}

export interface EngineMemory {
  usedBytes: number
  limitBytes: number
}

/** Which rows are open; those of a newer version, or of more seasons, are still these. */
export type OpenedRows = Pick<OpenedDataset, 'regionId' | 'model' | 'history'>

/** Options of a run. The caller assigns the id, because an abort signal cannot be posted to a worker. */
export interface RunCall {
  requestId: number
  priority: Priority
  /**
   * The rows that the caller takes for open: a later `open` overtakes requests. If others are open when the request is run,
   * it fails with `busy`, because their answer would look like one without rows.
   */
  rows?: OpenedRows | null
}

/** Rows as an Arrow IPC stream, with columns by name and type. */
export interface RowsPage {
  bytes: Uint8Array<ArrayBuffer>
  columns: ColumnSpec[]
}

/** The figures of one position of a brush. */
export interface StepAnswer extends RowsPage {
  milliseconds: number
}

/** An index that was built: its cells, and its name for the steps of a brush. */
export interface IndexAnswer extends StepAnswer {
  name: string
}

/**
 * The API of the engine in the worker, exposed through Comlink. Its requests are compiled as they are: the page builds them,
 * from parts that it has checked.
 */
export interface EngineApi {
  /** Loads the engine's script before it is known what to open; `compile` also compiles the engine. */
  prepare(baseUrl: string, compile: boolean): Promise<void>
  /** Starts the engine if necessary and opens a region's files. */
  open(request: OpenRequest): Promise<Reply<{ dataset: OpenedDataset }>>
  run(request: CheckedRequest, call: RunCall): Promise<Reply<{ answer: Answer }>>
  /**
   * Runs queries while the engine is idle and discards the results, so that the browser has
   * compiled the code they need.
   */
  warmUp(requests: readonly CheckedRequest[]): Promise<void>
  /**
   * Builds an index, unless it is there already. Linked queries that it covers are answered from it; the least recently
   * used indexes go when there are too many.
   */
  index(request: IndexRequest, call: RunCall): Promise<Reply<{ answer: IndexAnswer }>>
  /** Figures at one position of a brush over an index. Throws `bad-parameters` when it has gone. */
  step(index: string, step: BrushStep, call: RunCall): Promise<Reply<{ answer: StepAnswer }>>
  /** Cancels a waiting or running request; its reply becomes `query-cancelled`. */
  cancel(requestId: number): Promise<void>
  /** Every row of a query, in pages of some thousand rows; the next page waits until `onPage` resolves. */
  exportRows(
    request: AllRows,
    onPage: (page: RowsPage) => Promise<void>,
    call: RunCall,
  ): Promise<Reply<object>>
  /** Every row of a query as a DuckDB database with one table, named after the model. */
  exportDatabase(
    request: AllRows,
    call: RunCall,
  ): Promise<Reply<{ bytes: Uint8Array<ArrayBuffer>; rows: number }>>
  /**
   * Adds rows to the live tables (`live_odds`, `live_result`, `live_tip`), replacing rows with the same key.
   */
  live(rows: readonly LiveRow[]): Promise<Reply<{ rows: number }>>
  /** Loads the user's own rows in place of the previous ones; `null` removes them. Returns the slots that are filled. */
  own(rows: OwnRows | null): Promise<Reply<{ slots: FilledSlot[] }>>
  onProgress(listener: (progress: EngineProgress) => void): Promise<void>
  memory(): Promise<Reply<EngineMemory>>
}
