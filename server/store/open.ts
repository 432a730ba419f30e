import { join } from 'node:path'
import { FurlongError } from '../../domain/errors.ts'
import type { Settings } from '../env.ts'
import { connectDatabase } from './database-client.ts'
import type { Database } from './database.ts'
import { migrate, missingMigrations } from './migrate.ts'
import { openPglite } from './pglite.ts'
import { openPostgresql, type TimeLimits } from './postgresql.ts'

export type Place = Pick<Settings, 'dataFolder' | 'databaseUrl' | 'standbyUrl' | 'bucket'>

/** Opens the configured database as it is. */
export const openAsItIs = (
  { dataFolder, databaseUrl, standbyUrl }: Place,
  limits?: TimeLimits,
): Promise<Database> =>
  databaseUrl ? openPostgresql(databaseUrl, limits, standbyUrl) : openPglite(join(dataFolder, 'pglite'))

/** Opens the configured database and brings it to this build's schema; `limits` bound what a server's statements may take. */
export async function openDatabase(settings: Place, limits?: TimeLimits): Promise<Database> {
  const database = await openAsItIs(settings, limits)
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The embedded database of a server that runs on the data folder; `null` where there is none, or another database is set up. */
const ofRunningServer = async ({ dataFolder, databaseUrl }: Place): Promise<Database | null> =>
  databaseUrl ? null : connectDatabase(dataFolder)

/** Opens the configured database as it is, beside a server that may be running. */
export const openBesideAsItIs = async (place: Place): Promise<Database> =>
  (await ofRunningServer(place)) ?? openAsItIs(place)

/**
 * Opens the configured database for a command, beside a server that may be running. Throws `other-build` where that
 * server's schema is not this build's: only a start may change it.
 */
export async function openBeside(place: Place): Promise<Database> {
  const running = await ofRunningServer(place)
  if (running === null) return openDatabase(place)
  if ((await missingMigrations(running)).length === 0) return running
  await running.close()
  throw new FurlongError('other-build')
}
