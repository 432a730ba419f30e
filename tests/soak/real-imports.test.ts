// @module-tag soak
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digestOf } from '../support/canonical-rows.ts'
import { furlong } from '../support/command.ts'
import { newDatabase, type TestDatabase } from '../support/databases.ts'
import {
  chineseLines,
  chineseResults,
  englishLines,
  englishResults,
  linesByPool,
  rowsIn,
  sectionsOf,
  storedLines,
  storedResults,
  storedSections,
} from '../support/real-hk-counts.ts'

const SHARED = fileURLToPath(new URL('../../../shared/data', import.meta.url))
const IS_MISSING = ['hk', 'hk-en', 'hk-sectionals', 'hk-names'].some((set) => !existsSync(`${SHARED}/${set}`))

const filesOf = (set: string, kind: string): string[] =>
  readdirSync(`${SHARED}/${set}`)
    .filter((name) => name.startsWith(`${kind}-`))
    .map((name) => `${SHARED}/${set}/${name}`)

/** Dividends were paid on horses that were disqualified later: these files have only those that finished. */
const DISQUALIFIED: Readonly<Record<string, string>> = { '2017-06-21 HV 3': '6', '2025-02-12 ST 8': '12' }
/** Sections that are not the time of the horse, and those of a horse that `hk-en` has under another brand on three days. */
const LEFT_OUT = new Set([
  '2019-10-01 ST 1 7',
  '2024-11-09 ST 2 2',
  '2024-12-01 ST 2 5',
  '2024-12-22 ST 2 10',
])

const isOfDisqualified = ({ race, horses }: { race: string; horses: string }): boolean =>
  horses.split('-').includes(DISQUALIFIED[race] ?? '')

/** Imports a set by the command that a person types, and a second time, which changes nothing; returns what the first one said. */
async function importTwice(place: TestDatabase, set: string): Promise<string> {
  const environment = { FURLONG_DATA: place.dataFolder, DATABASE_URL: place.databaseUrl! }
  const run = () => furlong(environment, 'import', '--no-train', `${SHARED}/${set}`)
  const { out } = await run()
  const before = await digestOf(place)
  await run()
  expect(await digestOf(place)).toEqual(before)
  return out
}

describe.skipIf(IS_MISSING)(
  'all real seasons of Hong Kong (skipped where ../shared/data/hk, hk-en, hk-sectionals or hk-names is missing)',
  () => {
    let chinese: TestDatabase
    let english: TestDatabase
    beforeAll(async () => {
      chinese = await newDatabase('postgresql')
      english = await newDatabase('postgresql')
    })
    afterAll(() => Promise.all([chinese.close(), english.close()]))

    test('hk', async () => {
      expect(await importTwice(chinese, 'hk')).toContain('format hk: 25 of 25 files')
      const { counts, races } = chineseResults(filesOf('hk', 'results'))
      expect(await storedResults(chinese)).toEqual(counts)
      const lines = chineseLines(filesOf('hk', 'dividends')).filter(({ race }) => races.has(race))
      expect(await storedLines(chinese)).toEqual(linesByPool(lines))
      // As in `import-hk-real.test.ts`: another digest is a fault, or a decision that the commit tells, or other files.
      expect(await digestOf(chinese)).toEqual({
        race: '7874 60a778bed334cd8d',
        runner: '96881 737c1cecbea409f4',
        horse: '6006 e03e1fa2a36485d8',
        jockey: '168 d605ffbee131c831',
        trainer: '175 005ad9b7db3b854b',
        dividend: '87486 7712798f0923aed7',
        form_line: '111383 da7f252096c70a65',
      })
    })

    test('hk-names', async () => {
      const named = rowsIn([`${SHARED}/hk-names/horse_names.csv`]).filter((row) => row['name_en'] !== '')
      expect(await importTwice(chinese, 'hk-names')).toContain('format hk: 3 of 3 files')
      const [stored] = await chinese.database.rows(
        'select count(*)::int as horses from horse where brand = any ($1) and name_en is not null',
        [named.map((row) => row['brand']!)],
      )
      expect(stored).toEqual({ horses: named.length })
    })

    test('hk-en', async () => {
      expect(await importTwice(english, 'hk-en')).toContain('format hk-en: 27 of 27 files')
      expect(await storedResults(english)).toEqual(englishResults(filesOf('hk-en', 'runners')).counts)
      const lines = englishLines(filesOf('hk-en', 'dividends')).filter((line) => !isOfDisqualified(line))
      expect(await storedLines(english)).toEqual(linesByPool(lines))
    })

    test('hk-sectionals', async () => {
      expect(await importTwice(english, 'hk-sectionals')).toContain('format hk-sectionals: 10 of 10 files')
      const { races } = englishResults(filesOf('hk-en', 'runners'))
      const { counts } = sectionsOf(filesOf('hk-sectionals', 'sectionals'), races, LEFT_OUT)
      expect(await storedSections(english)).toEqual(counts)
    })
  },
)
