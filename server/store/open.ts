import { join } from 'node:path'
import type { Settings } from '../env.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openPglite } from './pglite.ts'
import { openPostgresql } from './postgresql.ts'

type Place = Pick<Settings, 'dataFolder' | 'databaseUrl'>

/** Opens the configured database as it is. */
export const openAsItIs = ({ dataFolder, databaseUrl }: Place): Promise<Database> =>
  databaseUrl ? openPostgresql(databaseUrl) : openPglite(join(dataFolder, 'pglite'))

/** Opens the configured database and brings it to this build's schema. */
export async function openDatabase(settings: Place): Promise<Database> {
  const database = await openAsItIs(settings)
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
