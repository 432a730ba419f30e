import { columnsFor, type NameColumn } from '../domain/languages.ts'

/**
 * SQL for the name that a reader of a column's language is shown of one row of a table: its own, otherwise another
 * language's. Of several things in one text each falls back by itself, so that a name is the same alone and in a pair.
 *
 * ```ts
 * nameFor('hans', 'horse') // => 'coalesce(horse.name_hans, horse.name_hant, horse.name_en)'
 * ```
 */
export const nameFor = (column: NameColumn, table: string): string =>
  `coalesce(${columnsFor(column)
    .map((each) => `${table}.name_${each}`)
    .join(', ')})`
