import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { copyOf, type Kind, type TestDatabase } from './databases.ts'

/** The demonstration for a fixed day, scored and built. */
export const DEMO_DAY = new Date('2026-11-21T04:00:00Z')

export const newDemonstration = (kind: Kind): Promise<TestDatabase> =>
  copyOf(kind, 'demonstration', async ({ database, dataFolder }) => {
    await ensureDemonstration(database, DEMO_DAY)
    await scoreStaleRaces(database, undefined, () => DEMO_DAY)
    await buildDataset(database, dataFolder, DEMO_DAY)
  })
