/** A value that both drivers take as a parameter. Arrays become PostgreSQL arrays. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | boolean | null)[]

/** One SQL connection's worth of work: the same text and the same row types on PGlite and PostgreSQL. */
export interface Queries {
  /**
   * Rows of one statement. `int8` comes as a number (all ours stay below 2^53), `date` as `yyyy-mm-dd`, `timestamptz`
   * as ISO 8601.
   */
  rows<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>
}

/** The database: PGlite in a folder by default, PostgreSQL by `DATABASE_URL`. */
export interface Database extends Queries {
  readonly kind: 'pglite' | 'postgresql'
  /**
   * Runs `work` in one transaction: all of it or none. Only SQL may be awaited inside. PostgreSQL may undo it to break a
   * deadlock or a conflict and run it again, so `work` must do nothing but SQL.
   */
  transaction<Result>(work: (transaction: Queries) => Promise<Result>): Promise<Result>
  /** Runs a script of several statements, without parameters. */
  script(sql: string): Promise<void>
  close(): Promise<void>
  /** Of PostgreSQL: connections that are open and idle, and requests that wait for one. */
  connections?(): { open: number; idle: number; waiting: number }
}

/** The embedded database: it can also be copied while it is open. */
export interface EmbeddedDatabase extends Database {
  /**
   * Writes the whole database, as it was between two statements, into a new gzipped archive that only its owner may read.
   * Throws when `file` is there already.
   */
  dump(file: string): Promise<void>
}

export const isEmbedded = (database: Database): database is EmbeddedDatabase => database.kind === 'pglite'
