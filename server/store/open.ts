import { join } from 'node:path'
import type { Settings } from '../env.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openPglite } from './pglite.ts'
import { openPostgresql } from './postgresql.ts'

/** Opens the configured database and brings it to this build's schema. */
export async function openDatabase(
  settings: Pick<Settings, 'dataFolder' | 'databaseUrl'>,
): Promise<Database> {
  const database = settings.databaseUrl
    ? await openPostgresql(settings.databaseUrl)
    : await openPglite(join(settings.dataFolder, 'pglite'))
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
