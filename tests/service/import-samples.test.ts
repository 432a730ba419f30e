import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AUTO, FORMATS } from '../../server/ingest/formats.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
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
