import { readdirSync, readFileSync } from 'node:fs'
import { statementsOf as split } from '../../server/db/migrate.ts'

const FOLDER = new URL('../../server/migrations/', import.meta.url)

export const migrationNames = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()

export const newestMigration = (): string => migrationNames().at(-1)!

export const statementsOf = (name: string): string[] =>
  split(readFileSync(new URL(name, FOLDER), 'utf8').replaceAll(/^\s*--.*$/gm, ''))

/** The tables and indexes that a migration creates. */
export const addedBy = (name: string): { kind: string; name: string }[] =>
  statementsOf(name).flatMap((statement) => {
    const [, kind, added] = /^create (?:unique )?(index|table) (?:if not exists )?(\w+)/.exec(statement) ?? []
    return kind === undefined || added === undefined ? [] : [{ kind, name: added }]
  })

/** The columns that a migration adds to tables that were there. */
const columnsOf = (name: string): { table: string; column: string }[] =>
  statementsOf(name).flatMap((statement) => {
    const [, table, column] = /^alter table (\w+) add column (?:if not exists )?(\w+)/.exec(statement) ?? []
    return table === undefined || column === undefined ? [] : [{ table, column }]
  })

/**
 * Restores the schema of the previous build by dropping what the newest migration adds, indexes before their tables; an index of
 * a new column goes with it.
 */
export async function withdraw(rows: (sql: string) => Promise<unknown>): Promise<void> {
  const newest = newestMigration()
  for (const { table, column } of columnsOf(newest)) await rows(`alter table ${table} drop column ${column}`)
  for (const { kind, name } of addedBy(newest).toReversed()) await rows(`drop ${kind} if exists ${name}`)
  await rows(`delete from migration where name = '${newest}'`)
}
