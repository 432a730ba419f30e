import type { Parameter, Queries } from './database.ts'

type Cell = string | number | boolean | null

/** Names of a row's values that can be stored. */
type CellOf<Row> = { [Name in keyof Row & string]: Row[Name] extends Cell ? Name : never }[keyof Row & string]

/** Columns by their PostgreSQL type. A column has the row's value of the same name in camel case. */
type ColumnsByType<Row> = Readonly<
  Partial<
    Record<
      | 'text'
      | 'uuid'
      | 'smallint'
      | 'int'
      | 'bigint'
      | 'double precision'
      | 'boolean'
      | 'date'
      | 'timestamptz',
      readonly CellOf<Row>[]
    >
  >
>

export interface InsertTable<Row> {
  name: string
  columns: ColumnsByType<Row>
}

export interface UpsertTable<Row> extends InsertTable<Row> {
  key: readonly string[]
  /** Columns of which a `null` keeps the stored value, which may come from another file. */
  kept?: ColumnsByType<Row>
  /** Extra assignments for a row that actually changes, such as `scoring = 'stale'`. */
  onChange?: string
}

export interface WriteCount {
  inserted: number
  updated: number
  unchanged: number
}

const BATCH = 4000

/**
 * Upserts rows by key, 4,000 per statement, and returns how many were inserted, updated and unchanged; a row
 * equal to the stored one is not written. Keys must be unique within `rows`. The first key column's value of
 * each written row is added to `changed`.
 */
export async function bulkUpsert<Row>(
  database: Queries,
  table: UpsertTable<Row>,
  rows: readonly Row[],
  changed?: Set<string>,
): Promise<WriteCount> {
  const count: WriteCount = { inserted: 0, updated: 0, unchanged: 0 }
  const columns = columnsOf(table)
  const sql = upsertSql(table, columns)
  for (const { arrays, size } of batchesOf(columns, rows)) {
    const written = await database.rows<{ id: string; inserted: boolean }>(sql, arrays)
    const inserted = written.filter((row) => row.inserted).length
    count.inserted += inserted
    count.updated += written.length - inserted
    count.unchanged += size - written.length
    if (changed) for (const row of written) changed.add(row.id)
  }
  return count
}

/** Inserts rows whose keys are known to be unused, 4,000 per statement. */
export async function bulkInsert<Row>(
  database: Queries,
  table: InsertTable<Row>,
  rows: readonly Row[],
): Promise<void> {
  const columns = columnsOf(table)
  const sql = insertSql(table.name, columns)
  for (const { arrays } of batchesOf(columns, rows)) await database.rows(sql, arrays)
}

interface Column<Row> {
  name: string
  type: string
  value: CellOf<Row>
  isKept: boolean
}

function columnsOf<Row>({ columns, kept }: { columns: ColumnsByType<Row>; kept?: ColumnsByType<Row> }) {
  const list = (some: ColumnsByType<Row>, isKept: boolean): Column<Row>[] =>
    Object.entries(some).flatMap(([type, values]) =>
      values.map((value) => ({ name: snakeCase(value), type, value, isKept })),
    )
  return [...list(columns, false), ...list(kept ?? {}, true)]
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The values of each column, 4,000 rows at a time. */
function* batchesOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH)
    const arrays = columns.map(({ value }): Parameter => batch.map((row) => row[value] as Cell))
    yield { arrays, size: batch.length }
  }
}

function insertSql<Row>(into: string, columns: readonly Column<Row>[]): string {
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`)
  return `insert into ${into} (${columns.map(({ name }) => name).join(', ')})
    select * from unnest(${arrays.join(', ')})`
}

function upsertSql<Row>({ name, key, onChange }: UpsertTable<Row>, columns: readonly Column<Row>[]): string {
  const others = columns.filter((column) => !key.includes(column.name))
  const incoming = (column: Column<Row>): string =>
    column.isKept ? `coalesce(excluded.${column.name}, t.${column.name})` : `excluded.${column.name}`
  const sets = [...others.map((column) => `${column.name} = ${incoming(column)}`), onChange ?? []].flat()
  const stored = others.map((column) => `t.${column.name}`)
  const action =
    others.length === 0
      ? 'do nothing'
      : `do update set ${sets.join(', ')}
         where (${stored.join(', ')}) is distinct from (${others.map(incoming).join(', ')})`
  return `${insertSql(`${name} as t`, columns)}
    on conflict (${key.join(', ')}) ${action}
    returning t.${key[0]} as id, (xmax = 0) as inserted`
}
