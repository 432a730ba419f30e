import type { OpenedDataset, OpenRequest, Reply } from './engine-api.ts'

/** Maximum rows of one result; `count` returns the total. */
export const CONSOLE_ROWS = 10_000
/** Larger results are refused, because the page would have to read all of them. */
export const CONSOLE_BYTES = 50_000_000
/** A statement is cancelled after this time. */
export const CONSOLE_TIME_MS = 30_000

/** A column of a result; `type` as DuckDB writes it, `DECIMAL(4,1)[]`. */
export interface ConsoleColumn {
  name: string
  type: string
}

/** A statement whose rows others read under its name; it reads those before it in the same way. */
export interface NamedStatement {
  name: string
  sql: string
}

/**
 * The result of a statement: an Arrow stream of at most `CONSOLE_ROWS` + 1 rows; the extra row
 * shows that there are more. Every cell is a text, as DuckDB's shell prints the value, or missing.
 */
export interface ConsoleAnswer {
  columns: ConsoleColumn[]
  bytes: Uint8Array<ArrayBuffer>
  milliseconds: number
}

/**
 * Runs the user's own SQL over the files that they may read, in a worker with a separate engine.
 * Accepts a single statement that returns rows. It cannot access files, the network or settings, only
 * the tables of the dataset.
 */
export interface ConsoleApi {
  /**
   * Starts the engine and opens a region's files; call once per worker. `own`: the user's own rows as a
   * DuckDB database with the table `own_data`.
   */
  open(request: OpenRequest, own: Uint8Array<ArrayBuffer> | null): Promise<Reply<{ dataset: OpenedDataset }>>
  /**
   * `named`: the statements whose rows it reads under their names. Throws `query-failed` with the message and position of the
   * error, and with the name `of` that statement of `named` which has it, `query-cancelled`, `query-timeout`, `out-of-memory`.
   */
  query(sql: string, named: readonly NamedStatement[]): Promise<Reply<{ answer: ConsoleAnswer }>>
  /** Number of rows that a statement returns. */
  count(sql: string, named: readonly NamedStatement[]): Promise<Reply<{ rows: number }>>
  /** The query plan of a statement, as text. */
  explain(sql: string, named: readonly NamedStatement[]): Promise<Reply<{ plan: string }>>
  /** Cancels the running statement. */
  cancel(): Promise<void>
}
