import { addDays } from '../../domain/region.ts'
import { simulateMeeting } from '../../server/ingest/demo/demonstration.ts'
import { DEMO_REGIONS } from '../../server/ingest/demo/regions.ts'
import { ReportBook } from '../../server/drafts/report.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { trainRegion } from '../../server/scoring/train.ts'
import type { Database } from '../../server/db/database.ts'
import { RacingWriter } from '../../server/store/racing/racing-writer.ts'
import { copyOf, type Kind, type TestDatabase } from './databases.ts'

/** The day after the last race. */
export const THREE_SEASONS_DAY = new Date('2026-11-21T04:00:00Z')

/** Last race day and number of days of each season's part: a model needs 200 earlier races to learn from. */
const PARTS = [
  { last: '2025-08-31', days: 102 },
  { last: '2026-08-31', days: 102 },
  { last: '2026-11-20', days: 45 },
] as const

/**
 * Hong Kong's demonstration races in parts of three seasons, predicted by every model and built: our own model starts
 * in the second season, and the blend, which learns from its predictions, in the third.
 */
export const newThreeSeasons = (kind: Kind): Promise<TestDatabase> =>
  copyOf(kind, 'three_seasons', async ({ database, dataFolder }) => {
    await writeRaces(database)
    await trainRegion(database, REGION.rules.id)
    await scoreStaleRaces(database, undefined, () => THREE_SEASONS_DAY)
    await buildDataset(database, dataFolder, THREE_SEASONS_DAY)
  })

const [REGION] = DEMO_REGIONS as [(typeof DEMO_REGIONS)[number]]

async function writeRaces(database: Database): Promise<void> {
  const days = PARTS.flatMap(({ last, days: count }) =>
    Array.from({ length: count }, (_, back) => addDays(last, -back)),
  ).toSorted()
  const detail = { run: true, closely: false }
  const races = days.flatMap((day) => simulateMeeting(REGION, day, detail, THREE_SEASONS_DAY))
  await database.transaction(async (transaction) => {
    const writer = await RacingWriter.open(transaction, new ReportBook())
    await writer.place(REGION.rules, REGION.stadiums)
    await writer.writeHorses(
      REGION.rules,
      REGION.horses.map(({ profile }) => profile),
    )
    await writer.writePeople(
      'jockey',
      REGION.rules,
      REGION.jockeys.map(({ person }) => person),
    )
    await writer.writePeople('trainer', REGION.rules, [
      ...new Set(REGION.horses.map(({ trainer }) => trainer)),
    ])
    await writer.writeRaces(races.map(({ race }) => race))
    await writer.writeDividends(races.flatMap(({ dividends }) => dividends))
    await writer.writeOddsTicks(races.flatMap(({ ticks }) => ticks))
    await writer.finish()
  })
}
