import { mkdirSync } from 'node:fs'
import { buildDataset } from '../../server/dataset/build.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openPglite } from '../../server/db/pglite.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { ODDS_AS_CHANCES } from './odds-as-chances.ts'

/** A process of its own, since the database does not run beside jsdom: builds the dataset of files of results in a folder. */
const [dataFolder, ...paths] = process.argv.slice(2)
mkdirSync(dataFolder!, { recursive: true })
const database = await openPglite(null)
await migrate(database)
await importFiles(database, { format: HK_FORMAT, paths, replaceDemonstration: false })
await database.script(ODDS_AS_CHANCES)
await buildDataset(database, dataFolder!)
await database.close()
