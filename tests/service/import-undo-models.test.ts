// @module-tag rest
import { afterEach, expect, test } from 'vitest'
import type { Database } from '../../server/db/database.ts'
import { FURLONG_FORMAT } from '../../server/ingest/furlong/furlong-format.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles, type ImportRequest } from '../../server/ingest/import.ts'
import { undoImport } from '../../server/ingest/undo-import.ts'
import { trainRegion } from '../../server/scoring/train.ts'
import { measurePaceMaps } from '../../server/services/pace-record.ts'
import { readPaceRecord } from '../../server/store/pace/pace-map-store.ts'
import { learningStamp, loadCard } from '../../server/store/racing/scoring-state-store.ts'
import { writeManyHkFiles } from '../fixtures/many-hk-files.ts'
import { describeOnBoth, newDatabase, newFolder } from '../support/databases.ts'
import { furlongRace, runnersCsv } from '../support/furlong-files.ts'
import { writeFiles } from '../support/import-files.ts'

const SETTLE = { kind: 'settle', payload: { verify: true } } as const
const HONG_KONG: ImportRequest = {
  format: HK_FORMAT,
  paths: [writeManyHkFiles(newFolder(), 1)],
  replaceDemonstration: false,
}
const ONE_RACE: ImportRequest = {
  format: FURLONG_FORMAT,
  paths: [
    writeFiles({
      'runners.csv': runnersCsv(...furlongRace({ date: '2001-03-08', starts_at_utc: '2001-03-08T05:00Z' })),
    }),
  ],
  replaceDemonstration: false,
}

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

describeOnBoth('models of what was undone, on %s', { usual: 'pglite' }, (kind) => {
  test('are fitted anew, and nothing is said of them until then', async () => {
    const { database, close } = await newDatabase(kind)
    ends.push(close)
    await importFiles(database, HONG_KONG)
    const region = '100000'
    const versions = (): Promise<{ season: number }[]> =>
      database.rows('select season, content from model_version order by season')
    await trainRegion(database, region)
    const before = await versions()
    expect(before.map(({ season }) => season)).toEqual([2015, 2016])
    // One race of a hundred: for so little, training keeps its models.
    await importFiles(database, ONE_RACE)
    await trainRegion(database, region, { again: true })
    await measurePaceMaps(database, { again: true })
    const after = await versions()
    expect(after).not.toEqual(before)
    expect(await loadCard(database, region)).not.toBeNull()
    expect(await readPaceRecord(database, region)).not.toBeNull()
    const stamp = await learningStamp(database, region)
    await undoImport(database, 2, SETTLE)
    expect(await versions()).toEqual([])
    expect(await loadCard(database, region)).toBeNull()
    expect(await readPaceRecord(database, region)).toBeNull()
    expect(await learningStamp(database, region)).not.toBe(stamp)
    expect(
      await database.rows(`select season from race where scoring = 'stale' and season = 2015`),
    ).not.toEqual([])
    expect((await trainRegion(database, region)).fitted).toEqual([2015, 2016])
    expect(await versions()).toEqual(before)
    // While it trains, too.
    await importFiles(database, ONE_RACE)
    let undoing: Promise<unknown> | null = null
    const disturbed: Database = Object.create(database, {
      transaction: {
        value: async (work: Parameters<Database['transaction']>[0]) => {
          await (undoing ??= undoImport(database, 3, SETTLE))
          return database.transaction(work)
        },
      },
    })
    expect((await trainRegion(disturbed, region, { again: true })).fitted).toEqual([2015, 2016])
    expect(await versions()).toEqual(before)
    expect(await loadCard(database, region)).not.toBeNull()
  })
})
