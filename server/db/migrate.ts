import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FurlongError } from '../../domain/errors.ts'
import { ROOT } from '../process/program.ts'
import type { Database, Queries } from './database.ts'

const FOLDER = join(ROOT, 'server/migrations')
/** Arbitrary advisory lock key, shared by every process that migrates. */
const LOCK = 7_312_026

const namesHere = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()

/** Names of the migrations that were applied to a database. Read-only. */
export async function appliedMigrations({ rows }: Queries): Promise<string[]> {
  const [table] = await rows(`select 1 from information_schema.tables where table_name = 'migration'`)
  return table ? (await rows<{ name: string }>('select name from migration')).map(({ name }) => name) : []
}

/** Names of the migrations that a database lacks. Read-only. */
export async function missingMigrations(queries: Queries): Promise<string[]> {
  return compareMigrations(await appliedMigrations(queries)).missing
}

/** The migrations of this build that a database with `applied` lacks, and those that this build does not know. */
export function compareMigrations(applied: readonly string[]): { missing: string[]; unknown: string[] } {
  const names = namesHere()
  return {
    missing: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
  }
}

/** Throws `database-newer` if a database with these migrations has one that this build does not know. */
export function needKnownMigrations(applied: readonly string[]): void {
  const [unknown] = compareMigrations(applied).unknown
  if (unknown !== undefined) throw new FurlongError('database-newer', { migration: unknown })
}

/**
 * The statements of a migration. Each ends with a semicolon at the end of a line, outside the body of a function, which
 * stands between two `$$`.
 */
export function statementsOf(script: string): string[] {
  const statements = ['']
  for (const [index, part] of script.split('$$').entries()) {
    const isBody = index % 2 === 1
    const [first, ...others] = isBody ? [`$$${part}$$`] : part.split(/;\s*$/m)
    statements.push(statements.pop()! + first!, ...others)
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}

/**
 * Applies each migration that the database lacks, in one transaction under a lock, and returns their names.
 * Throws `database-newer` if the database has a migration that this build does not know.
 */
export async function migrate(database: Database): Promise<string[]> {
  const names = namesHere()
  return database.transaction(async ({ rows }) => {
    // Migrations may take any time, although a server's statements are otherwise limited.
    await rows('set local statement_timeout = 0')
    await rows('set local lock_timeout = 0')
    await rows(`select pg_advisory_xact_lock(${LOCK})`)
    await rows(
      `create table if not exists migration (name text primary key, applied_at timestamptz not null)`,
    )
    const done = new Set((await rows<{ name: string }>('select name from migration')).map((row) => row.name))
    needKnownMigrations([...done])
    const missing = names.filter((name) => !done.has(name))
    for (const name of missing) {
      for (const statement of statementsOf(readFileSync(join(FOLDER, name), 'utf8'))) await rows(statement)
      await rows('insert into migration (name, applied_at) values ($1, now())', [name])
    }
    return missing
  })
}
