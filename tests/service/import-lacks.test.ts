// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AUTO, FORMATS } from '../../server/ingest/formats.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { allBut, FACTS, type Fact } from '../../server/ingest/reading/facts.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { newDatabase, type TestDatabase } from '../support/databases.ts'

/** Each fact as a table with the races' ids, and the condition under which a row of it says the fact. */
const HELD: Readonly<Record<Fact, readonly [table: string, condition: string]>> = {
  'race name': ['race', 'coalesce(name_en, name_hant, name_hans) is not null'],
  'post time': ['race', 'starts_at is not null'],
  class: ['race', 'race_class is not null'],
  distance: ['race', 'distance_m is not null'],
  track: ['race', 'track is not null'],
  going: ['race', 'going is not null'],
  'saddle number': ['race', 'not numbers_by_name'],
  jockey: ['runner', 'jockey_id is not null'],
  trainer: ['runner', 'trainer_id is not null'],
  draw: ['runner', 'draw is not null'],
  weight: ['runner', 'actual_weight_lb is not null'],
  rating: ['runner', 'rating is not null'],
  gear: ['runner', 'gear is not null'],
  order: ['runner', 'place > 1'],
  margin: ['runner', 'margin is not null'],
  time: ['runner', 'finish_time_ms is not null'],
  sections: ['section', 'true'],
  odds: ['runner', 'win_odds is not null'],
  dividends: ['dividend', 'gameplay_class > 2 and dividend_cents is not null'],
}
const NAMES = Object.keys(FORMATS).toSorted()
/** What some files of a format have, and its sample has not. */
const NOT_IN_SAMPLE: Readonly<Record<string, readonly Fact[]>> = { 'hk-en': ['race name'] }
/** It has only sections, of races that are stored. */
const SECTIONS_ONLY = 'hk-sectionals'

let place: TestDatabase
beforeAll(async () => {
  place = await newDatabase('postgresql')
})
afterAll(() => place.close())

const raceIds = async (): Promise<string[]> =>
  (await place.database.rows<{ id: string }>('select id from race')).map(({ id }) => id)

async function isHeld(fact: Fact, races: readonly string[]): Promise<boolean> {
  const [table, condition] = HELD[fact]
  const id = table === 'race' ? 'id' : 'race_id'
  const sql = `select 1 as one from ${table} where ${id} = any($1::text[]) and ${condition} limit 1`
  return (await place.database.rows(sql, [races])).length > 0
}

async function importSample(name: string) {
  const paths = [name === 'furlong' ? 'docs/templates' : `docs/samples/${name}`]
  const { format } = await formatNamed(AUTO, paths)
  return { format, report: await importFiles(place.database, { format, paths, replaceDemonstration: false }) }
}

test.each(NAMES.filter((name) => name !== SECTIONS_ONLY))(
  'what %s is declared to lack is just what its sample does not say',
  async (name) => {
    const before = new Set(await raceIds())
    const { format, report } = await importSample(name)
    const races = (await raceIds()).filter((id) => !before.has(id))
    expect(races.length).toBeGreaterThan(0)
    const lacking: Fact[] = []
    for (const fact of allBut())
      if (!NOT_IN_SAMPLE[name]?.includes(fact) && !(await isHeld(fact, races))) lacking.push(fact)
    expect(format.lacks).toEqual(lacking)
    expect(report.lacks).toEqual(lacking.map((fact) => FACTS[fact]))
  },
)

test('official sections add nothing else to the stored races', async () => {
  const { format, report } = await importSample(SECTIONS_ONLY)
  const written = Object.entries(report.tables).filter(([, { inserted, updated }]) => inserted + updated > 0)
  expect(written.map(([table]) => table)).toEqual(['section'])
  expect(format.lacks).toEqual(allBut('sections'))
})
