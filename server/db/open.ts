import { join } from 'node:path'
import { FurlongError } from '../../domain/errors.ts'
import type { AlertSettings, Settings } from '../process/env.ts'
import { connectDatabase } from './database-client.ts'
import type { Database, Queries } from './database.ts'
import { migrate, missingMigrations } from './migrate.ts'
import { openPglite, SERVING_BUFFERS_MB } from './pglite.ts'
import { openPostgresql, type TimeLimits } from './postgresql.ts'

/** Where a database is. */
export type DatabasePlace = Pick<Settings, 'dataFolder' | 'databaseUrl'> & { standbyUrl?: string | undefined }
/** Where an installation has what it stores. */
export type Place = Pick<Settings, 'dataFolder' | 'databaseUrl' | 'standbyUrl' | 'bucket'> & {
  /** Without it, nothing leaves the site. */
  alerts?: AlertSettings | undefined
}

/**
 * Opens the configured database without migrating it. A server gives `limits`: they bound the statements of PostgreSQL, and
 * the embedded database has larger buffers.
 */
export const openAsItIs = (
  { dataFolder, databaseUrl, standbyUrl }: DatabasePlace,
  limits?: TimeLimits,
): Promise<Database> =>
  databaseUrl
    ? openPostgresql(databaseUrl, limits, standbyUrl)
    : openPglite(join(dataFolder, 'pglite'), limits && SERVING_BUFFERS_MB)

/** Opens the configured database as `openAsItIs` does, and migrates it to this build's schema. */
export async function openDatabase(settings: DatabasePlace, limits?: TimeLimits): Promise<Database> {
  const database = await openAsItIs(settings, limits)
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * The embedded database of a running server on the data folder; `null` if no server runs or PostgreSQL is
 * configured.
 */
const ofRunningServer = async ({ dataFolder, databaseUrl }: Place): Promise<Database | null> =>
  databaseUrl ? null : connectDatabase(dataFolder)

/** Opens the configured database without migrating it, even while a server is running. */
export const openBesideAsItIs = async (place: Place): Promise<Database> =>
  (await ofRunningServer(place)) ?? openAsItIs(place)

/** Whether the running server names the columns of rows as this build does: until 0.1.0 they kept their names in SQL. */
async function namesRowsAlike({ rows }: Queries): Promise<boolean> {
  const [row] = await rows<{ isNamed?: boolean }>('select true as is_named')
  return row?.isNamed === true
}

/**
 * Opens the configured database for a command, even while a server is running. Throws `other-build` if the
 * running server is of a build that returns rows in another form, or if its schema lacks migrations of this build: only
 * starting a server may migrate it.
 */
export async function openBeside(place: Place): Promise<Database> {
  const running = await ofRunningServer(place)
  if (running === null) return openDatabase(place)
  if ((await namesRowsAlike(running)) && (await missingMigrations(running)).length === 0) return running
  await running.close()
  throw new FurlongError('other-build')
}
