import type { OpenedDataset, OpenRequest, Reply } from './engine-api.ts'

/** Rows of one answer; what is beyond is counted by `count`. */
export const CONSOLE_ROWS = 10_000
/** An answer of more bytes is refused: the page would have to read it all. */
export const CONSOLE_BYTES = 50_000_000
/** A statement is stopped after this long. */
export const CONSOLE_TIME_MS = 30_000

/** The answer of a statement: an Arrow stream of at most one row more than `CONSOLE_ROWS`, which says that there are others. */
export interface ConsoleAnswer {
  bytes: Uint8Array<ArrayBuffer>
  milliseconds: number
}

/**
 * A reader's own SQL over the files that they may see, in a worker with an engine of its own. Only one statement that
 * answers rows is taken; it can reach neither files, network, settings nor anything beside the tables of the dataset.
 */
export interface ConsoleApi {
  /**
   * Starts the engine and opens a region's files; once for each worker. `own`: the reader's own rows as a DuckDB
   * database with the table `own_data`.
   */
  open(request: OpenRequest, own: Uint8Array<ArrayBuffer> | null): Promise<Reply<{ dataset: OpenedDataset }>>
  /** Throws `query-failed` with what is wrong and where, `query-cancelled`, `query-timeout`, `out-of-memory`. */
  query(sql: string): Promise<Reply<{ answer: ConsoleAnswer }>>
  /** How many rows a statement has. */
  count(sql: string): Promise<Reply<{ rows: number }>>
  /** How a statement would be run, as text. */
  explain(sql: string): Promise<Reply<{ plan: string }>>
  /** Stops what is running. */
  cancel(): Promise<void>
}
