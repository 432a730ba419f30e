import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { Database } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'

export const KINDS = ['pglite', 'postgresql'] as const
export type Kind = (typeof KINDS)[number]

/** A new database in the run's PostgreSQL server. */
export async function newPostgresqlUrl(): Promise<string> {
  const base = inject('postgresqlUrl')
  const name = `t_${randomBytes(6).toString('hex')}`
  const client = new pg.Client(base)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return base.replace(/\/postgres$/, `/${name}`)
}

export interface TestDatabase {
  database: Database
  dataFolder: string
  databaseUrl: string | undefined
  close(): Promise<void>
}

/** A migrated, empty database of a kind, with a data folder of its own. */
export async function newDatabase(kind: Kind): Promise<TestDatabase> {
  const dataFolder = newFolder()
  const databaseUrl = kind === 'postgresql' ? await newPostgresqlUrl() : undefined
  const database = await openDatabase({ dataFolder, databaseUrl })
  return {
    database,
    dataFolder,
    databaseUrl,
    close: async () => {
      await database.close()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'furlong-test-'))
