/** A parameter value. Arrays become PostgreSQL arrays, a `Date` an instant. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | Date
  | readonly (string | number | boolean | null)[]

/** Runs SQL statements, with the same SQL and the same row types on PGlite and PostgreSQL. */
export interface Queries {
  /**
   * Rows of one statement by camel-cased column name: `race_id` is returned as `raceId`. `int8` is returned as a
   * number (all values stay below 2^53), `date` as `yyyy-mm-dd`, `timestamptz` as ISO 8601 in UTC with milliseconds.
   * Keys within JSON values stay as they are.
   */
  rows<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>
}

/** The first of a statement's rows: `first(rows<Ad>('select …'))`; `null` if there is none. */
export const first = async <Row>(rows: Promise<readonly Row[]>): Promise<Row | null> =>
  (await rows)[0] ?? null

/** The only value of the first of a statement's rows; `null` if there is none. */
export async function firstValue<Row extends object>(
  rows: Promise<readonly Row[]>,
): Promise<Row[keyof Row] | null> {
  const row = await first(rows)
  return row && (Object.values(row)[0] as Row[keyof Row])
}

/** Whether a statement returns a row. */
export const isAny = async (rows: Promise<readonly unknown[]>): Promise<boolean> => (await rows).length > 0

/** The database: PGlite in a folder by default, PostgreSQL if `DATABASE_URL` is set. */
export interface Database extends Queries {
  readonly kind: 'pglite' | 'postgresql'
  /** Embedded database of another process, whose requests wait for every transaction of this one. */
  readonly shared?: boolean
  /**
   * Runs `work` in one atomic transaction. Only SQL may be awaited inside. PostgreSQL may roll it back
   * because of a deadlock or a conflict and run it again, so `work` must have no effects other than SQL.
   */
  transaction<Result>(work: (transaction: Queries) => Promise<Result>): Promise<Result>
  /** Runs a script of several statements, without parameters. */
  script(sql: string): Promise<void>
  close(): Promise<void>
  /** PostgreSQL only: open connections, idle connections, and requests waiting for a connection. */
  connections?(): { open: number; idle: number; waiting: number }
}

/** The embedded database, which can also be copied while it is open. */
export interface EmbeddedDatabase extends Database {
  /**
   * Writes a consistent copy of the whole database, taken between two statements, into a new gzipped archive
   * that only its owner may read. Throws if `file` already exists.
   */
  dump(file: string): Promise<void>
}

export const isEmbedded = (database: Database): database is EmbeddedDatabase => database.kind === 'pglite'
