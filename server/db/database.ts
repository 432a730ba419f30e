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

type Statement = [sql: string, parameters?: readonly Parameter[]]

/** The first row of a statement, or `null`. */
export const first = async <Row>({ rows }: Queries, ...statement: Statement): Promise<Row | null> =>
  (await rows<Row>(...statement))[0] ?? null

/** The only value of each row of a statement. */
export const allValues = async <Value>({ rows }: Queries, ...statement: Statement): Promise<Value[]> =>
  (await rows<Record<string, Value>>(...statement)).map((row) => Object.values(row)[0]!)

/** The only value of the first row of a statement, or `null`. */
export const firstValue = async <Value>(queries: Queries, ...statement: Statement): Promise<Value | null> =>
  (await allValues<Value>(queries, ...statement))[0] ?? null

/** Whether a statement returns a row. */
export const isAny = async ({ rows }: Queries, ...statement: Statement): Promise<boolean> =>
  (await rows(...statement)).length > 0

/** An `ilike` pattern that matches `text` anywhere; `%`, `_` and `\` in the text are escaped. */
export const anywhere = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

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
