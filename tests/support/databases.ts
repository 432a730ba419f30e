import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import type { Database } from '../../server/db/database.ts'
import { openDatabase } from '../../server/db/open.ts'
import { openPglite } from '../../server/db/pglite.ts'
import { copyTemplate, databaseUrl, ensureTemplate, onServer, templateFolder } from './templates.ts'

export const KINDS = ['pglite', 'postgresql'] as const
export type Kind = (typeof KINDS)[number]

/**
 * Tests of both databases: those of the `usual` one are in `npm test`, those of the other in the cut that `other` names.
 * Both databases are PostgreSQL and run the same SQL; money, connections, the data folder and backups are tested on both
 * by `npm run test:all`, statements that run one after another only by `npm run soak`. `%s` in the name is the database.
 */
export function describeOnBoth(
  name: string,
  { usual, other = 'rest' }: { usual: Kind; other?: 'rest' | 'soak' },
  tests: (kind: Kind) => void,
): void {
  for (const kind of KINDS)
    describe(name.replace('%s', kind), { tags: kind === usual ? [] : [other] }, () => tests(kind))
}

const newName = (): string => `t_${randomBytes(6).toString('hex')}`

/** Creates a database without tables on the run's PostgreSQL server. */
export async function newPostgresqlUrl(): Promise<string> {
  const name = newName()
  await onServer(`create database ${name}`)
  return databaseUrl(name)
}

export interface TestDatabase {
  database: Database
  dataFolder: string
  databaseUrl: string | undefined
  close(): Promise<void>
}

/** A migrated, empty database of a kind, with its own data folder. */
export const newDatabase = (kind: Kind): Promise<TestDatabase> => copyOf(kind, 'empty', async () => {})

/** A copy of the database that `fill` creates, migrated and with its own data folder; `content` names what it holds. */
export async function copyOf(
  kind: Kind,
  content: string,
  fill: (place: { database: Database; dataFolder: string }) => Promise<void>,
): Promise<TestDatabase> {
  const name = `${kind}_${content}`
  await ensureTemplate(name, async (place) => {
    const database = await openDatabase(place)
    try {
      await fill({ database, dataFolder: place.dataFolder })
      // PostgreSQL's own analysis comes at any time: without statistics, some questions take twenty times as long.
      await database.script('analyze')
    } finally {
      await database.close()
    }
  })
  const place = await copyTemplate(name, newFolder(), newName())
  const database = await openDatabase(place)
  return {
    ...place,
    database,
    close: async () => {
      await database.close()
      rmSync(place.dataFolder, { recursive: true, force: true })
    },
  }
}

/**
 * Copies a new embedded database without tables into a data folder, a new one or `folder`, whose content it replaces;
 * returns its path. Creating such a database takes 5 s of processor time, copying it a tenth of a second.
 */
export async function newDataFolder(folder = newFolder()): Promise<string> {
  const name = 'pglite_new'
  await ensureTemplate(name, async ({ dataFolder }) => {
    await (await openPglite(join(dataFolder, 'pglite'))).close()
  })
  return (await copyTemplate(name, folder, newName())).dataFolder
}

/** A new folder, which is removed at the end of the run. */
export const newFolder = (): string => mkdtempSync(join(templateFolder(), 'test-'))
