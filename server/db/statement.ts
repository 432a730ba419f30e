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
 * database: `allRows`, `firstRow` and `run` run a statement through the connection or transaction of the caller.
 *
 * @example
 * const row = await firstRow(queries, statement.selectFrom('bankCard').select('lastFour').where('id', '=', id))
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

interface Compilable<Row> {
  compile(): CompiledQuery<Row>
}

/** What Kysely calls the row of a statement without `returning`. */
type NoRow = InsertResult | UpdateResult | DeleteResult

/** Runs a statement and returns its rows. */
export function allRows<Row>(
  { rows }: Queries,
  built: Row extends NoRow ? never : Compilable<Row>,
): Promise<Row[]> {
  const { sql: text, parameters } = (built as Compilable<Row>).compile()
  return rows<Row>(text, parameters as readonly Parameter[])
}

/** Runs a statement and returns its first row, or `null`. */
export async function firstRow<Row>(
  queries: Queries,
  built: Row extends NoRow ? never : Compilable<Row>,
): Promise<Row | null> {
  const [row] = await allRows<Row>(queries, built)
  return row ?? null
}

/** Runs a statement without rows. */
export async function run(queries: Queries, built: Compilable<NoRow>): Promise<void> {
  const { sql: text, parameters } = built.compile()
  await queries.rows(text, parameters as readonly Parameter[])
}

/** A point in time as a value of a statement, to compare with a column. */
export const instant = (at: Date): Expression<string> => sql<string>`${at}`

/** Any of some values, to compare with a column: `where('id', '=', anyOf(ids))`; none of an empty list. */
export const anyOf = <Value extends string | number>(values: readonly Value[]): Expression<Value> =>
  sql<Value>`any(${values})`

/** The number of rows that a select without columns finds. */
export async function countRows<Of, Table extends keyof Of, Row>(
  queries: Queries,
  from: SelectQueryBuilder<Of, Table, Row>,
): Promise<number> {
  const counted = from.select(({ fn }) => fn.countAll<number>().as('total')).compile()
  const [row] = await queries.rows<{ total: number }>(counted.sql, counted.parameters as Parameter[])
  return row!.total
}
