import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AUTO, FORMATS } from '../../server/ingest/formats.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { AGE_ON_RACE_DAY, readHorse, readRunners } from '../../server/store/racing/race-store.ts'
import { newDatabase, type TestDatabase } from '../support/databases.ts'

/**
 * The invented files of `docs/samples`, a folder for each format, and the templates of our own. No two have a race of one
 * course and day, so that they are imported into one database; sections after their results.
 */
const SAMPLES = 'docs/samples'
const NAMES = Object.keys(FORMATS).toSorted()

let place: TestDatabase
beforeAll(async () => {
  place = await newDatabase('postgresql')
})
afterAll(() => place.close())

test('every format but our own, which has templates, has a sample', () => {
  expect(readdirSync(SAMPLES).toSorted()).toEqual(NAMES.filter((name) => name !== 'furlong'))
})

test.each(NAMES)('the sample of %s is recognised, and every row of it is read', async (name) => {
  const paths = [name === 'furlong' ? 'docs/templates' : `${SAMPLES}/${name}`]
  const { format } = await formatNamed(AUTO, paths)
  expect(format.name).toBe(name)
  const report = await importFiles(place.database, { format, paths, replaceDemonstration: false })
  expect(report).toMatchObject({ rejects: [], unknown: [], differing: [], removed: [] })
  const { inserted } = report.tables[name === 'hk-sectionals' ? 'section' : 'race']!
  expect(inserted).toBeGreaterThan(0)
})

/** A runner of a sample whose age, sex and owner are told for the day of its race. */
const TOLD = [
  ['rpscrape', 'GB', 'Red Lantern (IRE)', { age: 4, sex: 'gelding', owner: 'An Owner' }],
  ['netkeiba', 'JP', 'カイダンノボル', { age: 3, sex: 'colt', owner: '架空馬主' }],
  ['kaggle-hk-ids', 'HK', 'Horse 990005', { age: 4, sex: 'gelding', owner: null }],
  ['bris', 'US', 'Old Harbour', { age: 4, sex: null, owner: 'An Owner' }],
  ['furlong', 'HK', 'Pencil Horse', { age: 4, sex: 'filly', owner: 'A Reader' }],
] as const

test.each(TOLD)(
  'of a horse of %s, its card and its page have what its race tells',
  async (_, region, name, told) => {
    const [run] = await place.database.rows<{ raceId: string; horseId: string; day: string }>(
      `select race_id, horse_id, race_date as day from runner join race on race.id = race_id join horse on horse.id = horse_id
     where lower(horse.name_en) = lower($1) and horse.id like $2 || '-%' order by race_date desc limit 1`,
      [name, region],
    )
    const { raceId, horseId, day } = run!
    const card = await readRunners(place.database, raceId, null, 'en', new Date())
    const { age, sex } = card.find((runner) => runner.horseId === horseId)!
    expect({ age, sex }).toEqual({ age: told.age, sex: told.sex })
    expect(await readHorse(place.database, horseId, 'en')).toMatchObject({ ...told, ageOn: day })
  },
)

test('a profile’s age is reckoned from birthday to birthday: 1 August in the south, 1 January in the north', async () => {
  const days = ['2019-01-01', '2022-07-31', '2022-08-01', '2024-12-31', '2025-01-01', '2025-08-01']
  const agesOf = async (origin: string | null): Promise<unknown[]> => {
    const found = await place.database.rows<{ age: number | null }>(
      `select ${AGE_ON_RACE_DAY} as age from (select $1::text as origin, 5::smallint as age, date '2025-03-01' as age_on) as horse,
         (select null::smallint as age) as runner, unnest($2::date[]) as race (race_date) order by race_date`,
      [origin, days],
    )
    return found.map(({ age }) => age)
  }
  expect(await agesOf('AU')).toEqual([null, 2, 3, 5, 5, 6])
  expect(await agesOf('IE')).toEqual([null, 2, 2, 4, 5, 5])
  // Without a country that is known, nobody knows its birthday.
  expect(await agesOf('原地')).toEqual(days.map(() => null))
  expect(await agesOf(null)).toEqual(days.map(() => null))
})
