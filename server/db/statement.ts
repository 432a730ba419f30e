import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type DeleteResult,
  type Expression,
  type InsertResult,
  type SelectQueryBuilder,
  type UpdateResult,
} from 'kysely'
import type { Parameter, Queries } from './database.ts'
import type { Tables } from './tables.ts'

/**
 * Builds statements whose tables, columns and rows the compiler checks, with camel-cased names. It is connected to no
 * database: `allRows`, `firstRow`, `oneValue`, `anyRow` and `run` run a statement through the connection or transaction of the caller.
 *
 * @example
 * const card = await statement.selectFrom('bankCard').select('lastFour').where('id', '=', id).$call(firstRow(queries))
 */
export const statement = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [new CamelCasePlugin()],
})

interface Compilable<Of> {
  compile(): CompiledQuery<Of>
}

/** What Kysely calls the row of a statement without `returning`. */
type NoRow = InsertResult | UpdateResult | DeleteResult

/** A statement that returns rows. */
type Returning<Of> = Of extends NoRow ? never : Compilable<Of>

const rowsOf = <Of>({ rows }: Queries, built: Compilable<Of>): Promise<Of[]> => {
  const { sql: text, parameters } = built.compile()
  return rows<Of>(text, parameters as readonly Parameter[])
}

/** Runs a statement and returns its rows. */
export const allRows =
  (queries: Queries) =>
  <Of>(built: Returning<Of>): Promise<Of[]> =>
    rowsOf<Of>(queries, built)

/** Runs a statement and returns its first row, or `null`. */
export const firstRow =
  (queries: Queries) =>
  async <Of>(built: Returning<Of>): Promise<Of | null> =>
    (await rowsOf<Of>(queries, built))[0] ?? null

/** Runs a statement and returns the only value of its first row, or `null`. */
export const oneValue =
  (queries: Queries) =>
  async <Of extends object>(built: Returning<Of>): Promise<Of[keyof Of] | null> => {
    const [row] = await rowsOf<Of>(queries, built)
    return row ? (Object.values(row)[0] as Of[keyof Of]) : null
  }

/** Runs a statement and returns whether it found, or wrote, a row. */
export const anyRow =
  (queries: Queries) =>
  async <Of>(built: Returning<Of>): Promise<boolean> =>
    (await rowsOf<Of>(queries, built)).length > 0

/** Runs a statement without rows. */
export const run =
  (queries: Queries) =>
  async (built: Compilable<NoRow>): Promise<void> =>
    void (await rowsOf(queries, built))

/** A point in time as a value of a statement, to compare with a column. */
export const instant = (at: Date): Expression<string> => sql<string>`${at}`

/** Any of some values, to compare with a column: `where('id', '=', anyOf(ids))`; none of an empty list. */
export const anyOf = <Value extends string | number>(values: readonly Value[]): Expression<Value> =>
  sql<Value>`any(${values})`

/** The number of rows that a select without columns finds. */
export const countRows =
  (queries: Queries) =>
  async <Of, Table extends keyof Of, Selected>(
    from: SelectQueryBuilder<Of, Table, Selected>,
  ): Promise<number> => {
    const counted = from.select(({ fn }) => fn.countAll<number>().as('total')) as Compilable<{
      total: number
    }>
    const [row] = await rowsOf(queries, counted)
    return row!.total
  }
