import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { FurlongError } from '../../../domain/errors.ts'
import { SECRET_FILES } from '../../db/secret.ts'
import { connectDatabase } from '../../db/database-client.ts'
import { firstValue, type Queries } from '../../db/database.ts'
import { isBlank } from './doctor-store.ts'
import { appliedMigrations, needKnownMigrations } from '../../db/migrate.ts'
import { openPglite, startParameters } from '../../db/pglite.ts'
import type { DatabasePlace } from '../../db/open.ts'
import { isBehindPooler, openPostgresql } from '../../db/postgresql.ts'

const run = promisify(execFile)
const ABOUT = 'backup.json'
const FILES = { pglite: 'pglite.tar.gz', postgresql: 'postgresql.dump' } as const

interface About {
  kind: keyof typeof FILES
  madeAt: string
  /** Migrations of its database; backups of older builds do not have them. */
  migrations?: string[]
}

/**
 * Writes the database and the secrets of the data folder into an empty `folder`. Dataset files are excluded,
 * because they are built from the database. PostgreSQL is read by `pg_dump` in one snapshot, the embedded
 * database between two statements; the service may be running. Throws `backup-failed`, `database-locked`.
 */
export async function backup({ dataFolder, databaseUrl }: DatabasePlace, folder: string): Promise<About> {
  if (existsSync(join(folder, ABOUT)))
    throw new FurlongError('backup-failed', { reason: `${folder} holds one already` })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const kind = databaseUrl ? 'postgresql' : 'pglite'
  const madeAt = new Date().toISOString()
  const file = join(folder, FILES[kind])
  let migrations: string[]
  if (databaseUrl) {
    await needOwnAddress(databaseUrl)
    await needClientOf(databaseUrl, 'pg_dump')
    await program('pg_dump', databaseUrl, ['--format=custom', '--no-owner', `--file=${file}`])
    migrations = await migrationsAt(databaseUrl)
  } else {
    migrations = await dumpEmbedded(dataFolder, file)
  }
  copySecrets(dataFolder, folder)
  chmodSync(file, 0o600)
  const about: About = { kind, madeAt, migrations }
  // Written last: a folder with this file is a complete backup.
  writeFileSync(join(folder, ABOUT), JSON.stringify(about))
  return about
}

async function migrationsAt(databaseUrl: string): Promise<string[]> {
  const database = await openPostgresql(databaseUrl)
  try {
    return await appliedMigrations(database)
  } finally {
    await database.close()
  }
}

/** Dumps the embedded database, through the server process if one has it open. Returns its migrations. */
async function dumpEmbedded(dataFolder: string, file: string): Promise<string[]> {
  const databaseFolder = join(dataFolder, 'pglite')
  if (!existsSync(databaseFolder)) throw new FurlongError('backup-failed', { reason: `no ${databaseFolder}` })
  const database = (await connectDatabase(dataFolder)) ?? (await openPglite(databaseFolder))
  try {
    await database.dump(file)
    return await appliedMigrations(database)
  } finally {
    await database.close()
  }
}

/**
 * Restores a backup into an empty target: a blank PostgreSQL database, or a data folder without a database.
 * Nothing is overwritten. Throws `database-newer` if the backup's database has a migration that this build
 * does not know, and `backup-failed` if `folder` is not a backup, the kinds differ, or the target
 * is not empty.
 */
export async function restore({ dataFolder, databaseUrl }: DatabasePlace, folder: string): Promise<About> {
  const about = readAbout(folder)
  const kind = databaseUrl ? 'postgresql' : 'pglite'
  if (about.kind !== kind)
    throw new FurlongError('backup-failed', {
      reason: `this is a backup of ${about.kind}, and ${kind} is set up`,
    })
  needKnownMigrations(about.migrations ?? [])
  const file = join(folder, FILES[kind])
  const taken = SECRET_FILES.filter(
    (name) =>
      existsSync(join(folder, name)) && existsSync(join(dataFolder, name)) && !same(folder, dataFolder, name),
  )
  if (taken.length > 0)
    throw new FurlongError('backup-failed', { reason: `${dataFolder} has another ${taken.join(', ')}` })
  if (databaseUrl) {
    await needOwnAddress(databaseUrl)
    await needClientOf(databaseUrl, 'pg_restore')
    const database = await openPostgresql(databaseUrl)
    const blank = await isBlank(database)
    await database.close()
    if (!blank) throw new FurlongError('backup-failed', { reason: 'the database is not empty' })
    const { PGDATABASE } = connectionOf(databaseUrl)
    await program('pg_restore', databaseUrl, [
      '--exit-on-error',
      '--single-transaction',
      '--no-owner',
      `--dbname=${PGDATABASE}`,
      file,
    ])
  } else {
    const target = join(dataFolder, 'pglite')
    if (existsSync(target)) throw new FurlongError('backup-failed', { reason: `${target} is there already` })
    mkdirSync(dataFolder, { recursive: true })
    const pglite = await PGlite.create({
      dataDir: target,
      loadDataDir: new Blob([readFileSync(file)]),
      startParams: startParameters(),
    })
    await pglite.close()
  }
  mkdirSync(dataFolder, { recursive: true })
  copySecrets(folder, dataFolder)
  return about
}

/** Copies the secrets that a folder has, readable only by their owner. */
function copySecrets(from: string, to: string): void {
  for (const name of SECRET_FILES) {
    if (!existsSync(join(from, name))) continue
    copyFileSync(join(from, name), join(to, name))
    chmodSync(join(to, name), 0o600)
  }
}

/** `pg_dump` and `pg_restore` change session settings, which a pooler would pass on to the service. */
async function needOwnAddress(databaseUrl: string): Promise<void> {
  if (await isBehindPooler(databaseUrl))
    throw new FurlongError('backup-failed', {
      reason: 'DATABASE_URL is the address of a pooler: give that of PostgreSQL itself',
    })
}

/** Major versions of a PostgreSQL program on this machine, `null` where it is missing, and of the server. */
export interface Versions {
  client: number | null
  server: number
}

/** The versions of `pg_dump` here and of the server at an open database. */
export async function backupVersions(database: Queries, name = 'pg_dump'): Promise<Versions> {
  const number = await firstValue<string>(database, `select current_setting('server_version_num')`)
  return { client: await clientVersion(name), server: Math.floor(Number(number) / 10_000) }
}

/**
 * Why a program of these versions cannot back this server up, or restore into it; `null` if it can. An older `pg_dump`
 * refuses a newer server, and a newer one writes settings that an older server refuses.
 */
export function versionFault(name: string, { client, server }: Versions): string | null {
  if (client === server) return null
  const found = client === null ? `${name} is not installed` : `${name} is of version ${client}`
  return `${found}, and the server of version ${server}: install postgresql-client-${server}`
}

async function clientVersion(name: string): Promise<number | null> {
  try {
    const { stdout } = await run(name, ['--version'])
    const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]
    return major === undefined ? null : Number(major)
  } catch {
    return null
  }
}

async function needClientOf(databaseUrl: string, name: string): Promise<void> {
  const database = await openPostgresql(databaseUrl)
  try {
    const reason = versionFault(name, await backupVersions(database, name))
    if (reason !== null) throw new FurlongError('backup-failed', { reason })
  } finally {
    await database.close()
  }
}

const same = (a: string, b: string, name: string): boolean =>
  readFileSync(join(a, name)).equals(readFileSync(join(b, name)))

function readAbout(folder: string): About {
  try {
    const about = JSON.parse(readFileSync(join(folder, ABOUT), 'utf8')) as About
    if (about.kind in FILES) return about
  } catch {
    // Reported below.
  }
  throw new FurlongError('backup-failed', { reason: `${folder} is no backup` })
}

/**
 * A connection URL as the environment variables that PostgreSQL's programs read; command-line arguments would
 * be visible to every user of the machine.
 */
function connectionOf(databaseUrl: string): Record<string, string> & { PGDATABASE: string } {
  const url = new URL(databaseUrl)
  const sslMode = url.searchParams.get('sslmode')
  return {
    PGHOST: decodeURIComponent(url.searchParams.get('host') ?? url.hostname),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
    ...(url.port ? { PGPORT: url.port } : {}),
    ...(url.username ? { PGUSER: decodeURIComponent(url.username) } : {}),
    ...(url.password ? { PGPASSWORD: decodeURIComponent(url.password) } : {}),
    ...(sslMode === null ? {} : { PGSSLMODE: sslMode }),
  }
}

/**
 * Runs a PostgreSQL program; on failure its stderr is the reported reason. Only the owner may read the files
 * that it writes.
 */
async function program(name: string, databaseUrl: string, args: readonly string[]): Promise<void> {
  const before = process.umask(0o077)
  try {
    await run(name, [...args], {
      maxBuffer: 16 * 1024 * 1024,
      env: { ...process.env, ...connectionOf(databaseUrl) },
    })
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: string }
    const reason =
      code === 'ENOENT' ? `${name} is not installed` : (stderr ?? '').trim().split('\n').slice(0, 3).join(' ')
    throw new FurlongError('backup-failed', { reason })
  } finally {
    process.umask(before)
  }
}
