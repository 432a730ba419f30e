import { join } from 'node:path'
import type { Settings } from '../env.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openPglite } from './pglite.ts'
import { openPostgresql, type TimeLimits } from './postgresql.ts'

type Place = Pick<Settings, 'dataFolder' | 'databaseUrl'>

/** Opens the configured database as it is. */
export const openAsItIs = ({ dataFolder, databaseUrl }: Place, limits?: TimeLimits): Promise<Database> =>
  databaseUrl ? openPostgresql(databaseUrl, limits) : openPglite(join(dataFolder, 'pglite'))

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
