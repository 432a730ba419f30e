import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { newDatabase, type Kind, type TestDatabase } from './databases.ts'

/** The demonstration of a fixed day, scored and built. */
export const DEMO_DAY = new Date('2026-11-21T04:00:00Z')

export async function newDemonstration(kind: Kind): Promise<TestDatabase> {
  const place = await newDatabase(kind)
  await ensureDemonstration(place.database, DEMO_DAY)
  await scoreStaleRaces(place.database, undefined, () => DEMO_DAY)
  await buildDataset(place.database, place.dataFolder, DEMO_DAY)
  return place
}
