import { readFileSync, readdirSync } from 'node:fs'
import { FurlongError } from '../../domain/errors.ts'
import type { Database, Queries } from './database.ts'

const FOLDER = new URL('../migrations/', import.meta.url)
/** Any fixed number: every process that migrates takes the same lock. */
const LOCK = 7_312_026

const namesHere = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()

/** Migrations that a database lacks; looks, and changes nothing. */
export async function missingMigrations({ rows }: Queries): Promise<string[]> {
  const [table] = await rows(`select 1 from information_schema.tables where table_name = 'migration'`)
  const done = table
    ? (await rows<{ name: string }>('select name from migration')).map(({ name }) => name)
    : []
  return namesHere().filter((name) => !done.includes(name))
}

/**
 * Applies the migrations that the database lacks, each once, all in one transaction under a lock. Throws
 * `database-newer` when the database has one that this build does not know.
 */
export async function migrate(database: Database): Promise<string[]> {
  const names = namesHere()
  return database.transaction(async ({ rows }) => {
    // However long it takes: a server's statements are limited otherwise.
    await rows('set local statement_timeout = 0')
    await rows('set local lock_timeout = 0')
    await rows(`select pg_advisory_xact_lock(${LOCK})`)
    await rows(
      `create table if not exists migration (name text primary key, applied_at timestamptz not null)`,
    )
    const done = new Set((await rows<{ name: string }>('select name from migration')).map((row) => row.name))
    const unknown = [...done].find((name) => !names.includes(name))
    if (unknown !== undefined) throw new FurlongError('database-newer', { migration: unknown })
    const missing = names.filter((name) => !done.has(name))
    for (const name of missing) {
      const statements = readFileSync(new URL(name, FOLDER), 'utf8').split(/;\s*$/m)
      for (const statement of statements) if (statement.trim() !== '') await rows(statement)
      await rows('insert into migration (name, applied_at) values ($1, now())', [name])
    }
    return missing
  })
}
