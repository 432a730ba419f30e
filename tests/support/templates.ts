import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { READY, TEMPLATE_FOLDER } from './template-folder.ts'

/** Location of a template database: its data folder, and its URL for PostgreSQL. */
export interface StoredDatabase {
  dataFolder: string
  databaseUrl: string | undefined
}

const POLL_MS = 50

/** The URL of a database of the run's PostgreSQL server. */
export const databaseUrl = (name: string): string =>
  inject('postgresqlUrl').replace(/\/postgres$/, `/${name}`)

/** Runs one statement in the server's default database, outside the test databases. */
export async function onServer(sql: string): Promise<void> {
  const client = new pg.Client(inject('postgresqlUrl'))
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The folder of the run, which is removed at its end. */
export const templateFolder = (): string => {
  const folder = process.env[TEMPLATE_FOLDER]
  if (folder === undefined) throw new Error(`${TEMPLATE_FOLDER} is not set`)
  return folder
}

const folderOf = (name: string): string => join(templateFolder(), name)

/**
 * Creates a common starting state once per run: the first caller has `make` create and close it, the others wait. Tests
 * copy it with `copyTemplate`, which takes a tenth of the time.
 */
export async function ensureTemplate(
  name: string,
  make: (place: StoredDatabase) => Promise<void>,
): Promise<void> {
  const folder = folderOf(name)
  const [ready, failed] = [`${folder}${READY}`, `${folder}.failed`]
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    while (!existsSync(ready)) {
      if (existsSync(failed)) throw new Error(`${name} could not be made by another test`, { cause: error })
      await setTimeout(POLL_MS)
    }
    return
  }
  try {
    await make({
      dataFolder: folder,
      databaseUrl: isPostgresql(name) ? await createDatabase(name) : undefined,
    })
    writeFileSync(ready, '')
  } catch (error) {
    writeFileSync(failed, '')
    throw error
  }
}

const isPostgresql = (name: string): boolean => name.startsWith('postgresql')

async function createDatabase(name: string): Promise<string> {
  await onServer(`create database ${name}`)
  return databaseUrl(name)
}

/** Copies a template into a new data folder and, for PostgreSQL, a new database. */
export async function copyTemplate(
  name: string,
  dataFolder: string,
  newName: string,
): Promise<StoredDatabase> {
  rmSync(dataFolder, { recursive: true, force: true })
  cpSync(folderOf(name), dataFolder, { recursive: true })
  if (!isPostgresql(name)) return { dataFolder, databaseUrl: undefined }
  await onServer(`create database ${newName} template ${name}`)
  return { dataFolder, databaseUrl: databaseUrl(newName) }
}
