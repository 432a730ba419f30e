import type { Parameter, Queries } from './database.ts'

type Cell = string | number | boolean | null

export interface Column<Row> {
  name: string
  /**
   * PostgreSQL type of the column, `text`, `int`, `bigint`, `double precision`, `boolean`, `date`,
   * `timestamptz`.
   */
  type: string
  value: (row: Row) => Cell
  /** A `null` keeps the stored value, which may come from another file. */
  keep?: true
}

export interface UpsertTable<Row> {
  name: string
  key: readonly string[]
  columns: readonly Column<Row>[]
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
  const sql = upsertSql(table)
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH)
    const arrays: Parameter[] = table.columns.map((column) => batch.map(column.value))
    const written = await database.rows<{ id: string; inserted: boolean }>(sql, arrays)
    const inserted = written.filter((row) => row.inserted).length
    count.inserted += inserted
    count.updated += written.length - inserted
    count.unchanged += batch.length - written.length
    if (changed) for (const row of written) changed.add(row.id)
  }
  return count
}

/** Inserts rows whose keys are known to be unused, 4,000 per statement. */
export async function bulkInsert<Row>(
  database: Queries,
  { name, columns }: Pick<UpsertTable<Row>, 'name' | 'columns'>,
  rows: readonly Row[],
): Promise<void> {
  const arrays = columns.map((column, index) => `$${index + 1}::${column.type}[]`)
  const sql = `insert into ${name} (${columns.map((column) => column.name).join(', ')})
    select * from unnest(${arrays.join(', ')})`
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH)
    await database.rows(
      sql,
      columns.map((column) => batch.map(column.value)),
    )
  }
}

function upsertSql<Row>({ name, key, columns, onChange }: UpsertTable<Row>): string {
  const names = columns.map((column) => column.name)
  const arrays = columns.map((column, index) => `$${index + 1}::${column.type}[]`)
  const others = columns.filter((column) => !key.includes(column.name))
  const incoming = (column: Column<Row>): string =>
    column.keep ? `coalesce(excluded.${column.name}, t.${column.name})` : `excluded.${column.name}`
  const sets = [...others.map((column) => `${column.name} = ${incoming(column)}`), onChange ?? []].flat()
  const stored = others.map((column) => `t.${column.name}`)
  const action =
    others.length === 0
      ? 'do nothing'
      : `do update set ${sets.join(', ')}
         where (${stored.join(', ')}) is distinct from (${others.map(incoming).join(', ')})`
  return `insert into ${name} as t (${names.join(', ')})
    select * from unnest(${arrays.join(', ')})
    on conflict (${key.join(', ')}) ${action}
    returning t.${key[0]} as id, (xmax = 0) as inserted`
}
