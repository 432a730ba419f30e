// @module-tag rest
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { ImportReport } from '../../server/drafts/report.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { KAGGLE_HK_FORMAT } from '../../server/ingest/hk/kaggle-hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import type { TestDatabase } from '../support/databases.ts'
import { changesOf, storedRunners, withDatabase } from '../support/import-files.ts'

const SHARED = fileURLToPath(new URL('../../../shared/data', import.meta.url))
const REAL = `${SHARED}/hk-kaggle-2014-17`
const CHINESE = `${SHARED}/hk/results-2016.csv`

const rowsOf = (name: string): Record<string, string>[] =>
  parse(readFileSync(`${REAL}/${name}`, 'utf8'), { columns: true })

/** What the files hold, counted without the importer. */
function countsOf(variant: string) {
  const rows = rowsOf(`race-result-horse.${variant}.csv`)
  const with_ = (test: (place: string) => boolean): number =>
    rows.filter(({ finishing_position: place = '' }) => test(place)).length
  const places = (place: string): boolean => /^\d/.test(place)
  return {
    races: rowsOf(`race-result-race.${variant}.csv`).length,
    runners: rows.length,
    winners: with_((place) => Number.parseInt(place, 10) === 1),
    tied: with_((place) => place.endsWith(' DH')),
    unfinished: with_((place) => !places(place) && !/^(?:W|NA)/.test(place)),
    withdrawn: with_((place) => /^(?:W|NA)/.test(place)),
  }
}

const storedCounts = (place: TestDatabase) =>
  place.database.rows(
    `select (select count(*)::int from race) as races, count(*)::int as runners,
       count(*) filter (where place = 1)::int as winners, count(*) filter (where dead_heat)::int as tied,
       count(*) filter (where status = 'unfinished')::int as unfinished,
       count(*) filter (where status = 'withdrawn')::int as withdrawn from runner`,
  )

const importReal = (place: TestDatabase, paths: readonly string[]): Promise<ImportReport> =>
  importFiles(place.database, { format: KAGGLE_HK_FORMAT, paths, replaceDemonstration: false })

const filesOf = (variant: string): string[] =>
  ['horse', 'race'].map((kind) => `${REAL}/race-result-${kind}.${variant}.csv`)

describe.skipIf(!existsSync(REAL))(
  'real races of 2014 to 2016 (skipped where ../shared/data/hk-kaggle-2014-17 is missing)',
  () => {
    test('the copy that went through Excel is imported like the intact one, with all that the files hold', () =>
      withDatabase(async (place) => {
        const excel = await importReal(place, filesOf('excel'))
        expect(excel.rejects).toEqual([])
        expect(excel.unknown.map(({ kind }) => kind)).toEqual(['spreadsheet-error'])
        expect(await storedCounts(place)).toEqual([countsOf('excel')])
        const before = await storedRunners(place)
        const intact = await importReal(place, filesOf('intact'))
        expect([intact.rejects, intact.unknown, intact.differing]).toEqual([[], [], []])
        expect(countsOf('intact')).toEqual(countsOf('excel'))
        // The margin that Excel had lost.
        expect(intact.tables['runner']).toMatchObject({ inserted: 0, updated: 1 })
        const after = await storedRunners(place)
        expect(after.filter((row, at) => JSON.stringify(row) !== JSON.stringify(before[at]))).toHaveLength(1)
        expect(changesOf(await importReal(place, filesOf('intact')))).toBe(0)
      }))

    test('the whole folder, with both copies, holds every race once', () =>
      withDatabase(async (place) => {
        const { format } = await formatNamed('auto', [REAL])
        expect(format).toBe(KAGGLE_HK_FORMAT)
        const report = await importReal(place, [REAL])
        expect([report.rejects, report.differing]).toEqual([[], []])
        expect(report.racesWithDuplicates).toBe(countsOf('intact').races)
        expect(await storedCounts(place)).toEqual([countsOf('intact')])
      }))

    test.skipIf(!existsSync(CHINESE))(
      'over the Chinese results of 2016, no race is there twice and nothing contradicts (skipped where ../shared/data/hk is missing)',
      () =>
        withDatabase(async (place) => {
          await importFiles(place.database, {
            format: HK_FORMAT,
            paths: [CHINESE],
            replaceDemonstration: false,
          })
          const count = async (table: string): Promise<number> =>
            (await place.database.rows<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n
          const before = await count('race')
          const report = await importReal(place, filesOf('intact'))
          const days = rowsOf('race-result-race.intact.csv').map(({ race_date: day = '' }) => day)
          const earlier = days.filter((day) => day < '2016').length
          expect(await count('race')).toBe(before + earlier)
          expect([report.rejects, report.unknown]).toEqual([[], []])
          // Horses that left Hong Kong since have a letter more in the Chinese files.
          const other = report.differing.find(({ detail }) => !/brand: (\w+), stored C\1$/.test(detail))
          expect(other).toBeUndefined()
        }),
    )
  },
)
