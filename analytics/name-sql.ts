import { columnsFor, type NameColumn } from '../domain/languages.ts'

/**
 * SQL for the name that a reader of a column's language is shown of one row of a table: its own, otherwise another
 * language's; `NULL` for a horse without one that the reader can read. Of several things in one text each falls back by itself, so that a name is the same alone and in a pair.
 *
 * ```ts
 * nameFor('hans', 'horse') // => 'coalesce(horse.name_hans, horse.name_hant, horse.name_en)'
 * ```
 */
export const nameFor = (column: NameColumn, table: string): string =>
  `coalesce(${columnsFor(column, table)
    .map((each) => `${table}.name_${each}`)
    .join(', ')})`

/** SQL for the name of a horse as its readers see it: one that they can read, otherwise its brand, otherwise any. */
export const horseName = (column: NameColumn): string =>
  `coalesce(${nameFor(column, 'horse')}, horse.brand, horse.name_hant, horse.name_hans)`

/** SQL for the column of names of a joined row; where a reader of it could read no other, a horse has its brand. */
export const nameColumnOf = (column: NameColumn, table: string, row: string): string =>
  table === 'horse' && columnsFor(column, table).length === 1
    ? `coalesce(${row}.name_${column}, ${row}.brand)`
    : `${row}.name_${column}`
