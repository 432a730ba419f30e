import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { FURLONG_FORMAT } from '../../server/ingest/furlong/furlong-format.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { newFolder, type TestDatabase } from '../support/databases.ts'
import { dividendsCsv, furlongRace, furlongRow, oddsCsv, runnersCsv } from '../support/furlong-files.ts'
import { csv, HK_HEADER, hkRace, importAs, rejectLines, withDatabase } from '../support/import-files.ts'

const CASES = fileURLToPath(new URL('../../../shared/cases', import.meta.url))

const runnersOf = ({ database }: TestDatabase) =>
  database.rows<{
    no: number
    place: number | null
    tied: boolean
    odds: number | null
    ms: number | null
  }>(
    `select horse_no as no, place, dead_heat as tied, win_odds as odds, finish_time_ms as ms
     from runner order by race_id, horse_no`,
  )

describe('every cell of our layout is read as documented, or reported with its line', () => {
  test.each([
    ['6,5', null, 'other-decimal-sign'],
    ['1,000', 1000, null],
    ['1,00', null, 'other-decimal-sign'],
    ['12.50', 12.5, null],
    ['5/2', null, 'not-a-number'],
    ['0.9', null, 'odds-out-of-range'],
  ])('odds %s are %d', (cell, odds, problem) =>
    withDatabase(async (place) => {
      const rows = [...furlongRace().slice(0, 4), furlongRow(5, { win_odds: cell })]
      const report = await importAs(place, FURLONG_FORMAT, { 'runners.csv': runnersCsv(...rows) })
      expect(report.rejects).toEqual([])
      expect(rejectLines(report.unknown)).toEqual(problem === null ? [] : [`runners.csv:6 ${problem}`])
      if (problem !== null) expect(report.unknown[0]!.detail).toContain(`win_odds: ${cell}`)
      expect((await runnersOf(place))[4]!.odds).toBe(odds)
    }),
  )

  test('numbers as pandas writes them are whole numbers', () =>
    withDatabase(async (place) => {
      const rows = [1, 2, 3, 4].map((no) =>
        furlongRow(no, { horse_no: `${no}.0`, draw: `${no}.0`, place: `${no}.0`, distance_m: '1200.0' }),
      )
      const report = await importAs(place, FURLONG_FORMAT, {
        'runners.csv': runnersCsv(...rows),
        'dividends.csv': dividendsCsv('1.0,1.0,paid,25.50', '3,1-2,paid,"1,040.50"'),
      })
      expect([report.rejects, report.unknown]).toEqual([[], []])
      expect((await runnersOf(place)).map(({ no, place: at }) => [no, at])).toEqual([
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
      ])
      expect(
        await place.database.rows(
          'select combination as of, dividend_cents as cents from dividend order by gameplay_class',
        ),
      ).toEqual([
        { of: '1', cents: 2550 },
        { of: '1-2', cents: 104_050 },
      ])
    }))

  test('half a place is none, and takes its race with it', () =>
    withDatabase(async (place) => {
      const rows = [
        ...furlongRace(),
        ...furlongRace({ race_no: '2' }).slice(0, 4),
        furlongRow(5, { race_no: '2', place: '4.5' }),
      ]
      const report = await importAs(place, FURLONG_FORMAT, { 'runners.csv': runnersCsv(...rows) })
      expect(rejectLines(report.rejects)).toEqual([
        'runners.csv:11 not-whole',
        'runners.csv:11 race-incomplete',
      ])
      expect(await place.database.rows('select id from race')).toEqual([{ id: 'HKSHT2026030801' }])
    }))

  test('a dead heat is told in any word; what contradicts the places is reported', () =>
    withDatabase(async (place) => {
      const rows = [
        furlongRow(1, { place: '1', dead_heat: 'Yes' }),
        furlongRow(2, { place: '1', dead_heat: 'TRUE' }),
        furlongRow(3, { place: '3', dead_heat: 'x' }),
        furlongRow(4, { place: '4', dead_heat: 'maybe' }),
        furlongRow(5, { place: '4', dead_heat: '1.0' }),
      ]
      const report = await importAs(place, FURLONG_FORMAT, { 'runners.csv': runnersCsv(...rows) })
      expect((await runnersOf(place)).map(({ tied }) => tied)).toEqual([true, true, false, true, true])
      expect(rejectLines(report.unknown)).toEqual(['runners.csv:5 unknown-word'])
      expect(rejectLines(report.noted)).toEqual([
        'runners.csv:4 dead-heat-contradicts-places',
        'runners.csv:5 dead-heat-contradicts-places',
      ])
    }))

  test('finish times are read in each form, or reported', () =>
    withDatabase(async (place) => {
      const times = ['1:10.10', '0:01:10.60', '1:10:45', '70.55', 'fast']
      const rows = times.map((finish_time, index) => furlongRow(index + 1, { finish_time }))
      const report = await importAs(place, FURLONG_FORMAT, { 'runners.csv': runnersCsv(...rows) })
      expect((await runnersOf(place)).map(({ ms }) => ms)).toEqual([70_100, 70_600, null, 70_550, null])
      expect(rejectLines(report.unknown)).toEqual(['runners.csv:4 not-a-time', 'runners.csv:6 not-a-time'])
    }))

  test('silks are stored as they stand, words without a meaning are noted, and no race is scored again for them', () =>
    withDatabase(async (place) => {
      const { database } = place
      await importAs(place, FURLONG_FORMAT, { 'runners.csv': runnersCsv(...furlongRace()) })
      await database.rows(`update race set scoring = 'done'`)
      const texts = ['Red, white sash, yellow cap', 'Scarlet, gold tassel', '', 'Pink', '']
      const rows = texts.map((silks, index) => furlongRow(index + 1, { silks }))
      const report = await importAs(place, FURLONG_FORMAT, { 'runners.csv': runnersCsv(...rows) })
      expect(report.noted).toMatchObject([
        { kind: 'unknown-silks', line: 3, detail: 'HKSHT2026030801 2: scarlet; gold; tassel' },
      ])
      // A file without them keeps what is known.
      await importAs(place, FURLONG_FORMAT, { 'runners.csv': runnersCsv(...furlongRace()) })
      expect(
        await database.rows(
          'select silks, scoring from runner join race on race.id = race_id order by horse_no',
        ),
      ).toEqual(texts.map((text) => ({ silks: text || null, scoring: 'done' })))
    }))

  test('combinations are different saddle numbers of starters, and nothing else', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, FURLONG_FORMAT, {
        'runners.csv': runnersCsv(
          ...furlongRace().slice(0, 4),
          furlongRow(5, { status: 'withdrawn', place: '', finish_time: '', win_odds: '' }),
        ),
        'dividends.csv': dividendsCsv(
          '1,1,paid,25.00',
          '3,1-1,paid,45.00',
          '3,0x1-2,paid,80.00',
          '4,1.5-2,paid,21.00',
          '4,1-2-,paid,21.00',
          '5,1e0-2,paid,21.00',
          '2,9,paid,15.00',
          '2,5,paid,15.00',
          '2,100,paid,15.00',
          '2,1,paid,0',
          '2,2,paid,"1,5"',
          '10,4/1,paid,90.00',
          '6,3-2-1,paid,"1,234.50"',
        ),
      })
      expect(rejectLines(report.rejects)).toEqual([
        'dividends.csv:3 bad-combination',
        'dividends.csv:4 bad-combination',
        'dividends.csv:5 bad-combination',
        'dividends.csv:6 bad-combination',
        'dividends.csv:7 bad-combination',
        'dividends.csv:10 bad-combination',
        'dividends.csv:11 bad-dividend',
        'dividends.csv:12 bad-dividend',
        'dividends.csv:13 bad-combination',
        'dividends.csv:8 no-such-runner',
        'dividends.csv:9 withdrawn-runner',
      ])
      expect(
        await place.database.rows(
          'select pool, combination as of, dividend_cents as cents from dividend order by gameplay_class',
        ),
      ).toEqual([
        { pool: 'win', of: '1', cents: 2500 },
        { pool: 'trio', of: '1-2-3', cents: 123_450 },
      ])
    }))

  test('the rows of a race complete each other, and what they contradict is reported', () =>
    withDatabase(async (place) => {
      const rows = [
        furlongRow(1, { distance_m: '', race_name_en: '' }),
        furlongRow(2),
        furlongRow(3, { distance_m: '1400', track: 'dirt' }),
        furlongRow(4, { starts_at_utc: '2026-03-08T05:00:00Z', race_name_en: 'Other Handicap' }),
      ]
      const report = await importAs(place, FURLONG_FORMAT, { 'runners.csv': runnersCsv(...rows) })
      expect(await place.database.rows('select distance_m, track, name_en from race')).toEqual([
        { distanceM: 1200, track: 'turf', nameEn: 'Paper Handicap' },
      ])
      expect(report.noted.map(({ line, detail }) => `${line} ${detail}`)).toEqual([
        '4 HKSHT2026030801 track: dirt, and turf before',
        '4 HKSHT2026030801 distanceM: 1400, and 1200 before',
        '5 HKSHT2026030801 name_en: Other Handicap, and Paper Handicap before',
      ])
    }))

  test('a column that is not in the layout is reported, and so is an entry that is none', () =>
    withDatabase(async (place) => {
      const [header, ...rows] = runnersCsv(furlongRow(1), furlongRow(2), furlongRow(3), furlongRow(4))
        .trim()
        .split('\n')
      const entries = ['2', '2', '', '9']
      const report = await importAs(place, FURLONG_FORMAT, {
        'runners.csv': csv(
          `${header},entry_no,finsh_time`,
          ...rows.map((row, index) => `${row},${entries[index]},1:09.80`),
        ),
      })
      expect(rejectLines(report.unknown)).toEqual(['runners.csv:1 unknown-column'])
      expect(report.unknown[0]!.detail).toContain('finsh_time')
      expect(rejectLines(report.noted)).toEqual([
        'runners.csv:2 entry-contradicts-numbers',
        'runners.csv:3 entry-contradicts-numbers',
        'runners.csv:5 entry-contradicts-numbers',
      ])
    }))

  test('what a line is not paid for has no dividend; a race that was not run has no finishers', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, FURLONG_FORMAT, {
        'runners.csv': runnersCsv(
          ...furlongRace(),
          furlongRow(1, { race_no: '2', race_status: 'abandoned' }),
        ),
        'dividends.csv': dividendsCsv('1,1,unknown,25.00', '2,,refund,10.00', '2,1,paid,15.00'),
      })
      expect(rejectLines(report.rejects)).toEqual([
        'runners.csv:7 contradictory-status',
        'dividends.csv:2 contradictory-status',
        'dividends.csv:3 contradictory-status',
      ])
    }))

  test('a name with characters that take no room or turn the text around is refused', () =>
    withDatabase(async (place) => {
      const rows = [
        furlongRow(1, { horse_name_en: 'Paper\u202Eesrever' }),
        furlongRow(2, { horse_name_en: 'Pa\u200Bper' }),
        furlongRow(3, { race_name_en: 'Paper\u2066 Handicap' }),
        furlongRow(4, { horse_name_en: '紙馬　一號' }),
        furlongRow(5, { jockey: 'x'.repeat(201) }),
        furlongRow(1, { race_no: '2', brand: 'P\u200D1' }),
      ]
      const report = await importAs(place, FURLONG_FORMAT, { 'runners.csv': runnersCsv(...rows) })
      expect(rejectLines(report.unknown)).toEqual([
        'runners.csv:2 invisible-characters',
        'runners.csv:3 invisible-characters',
        'runners.csv:4 invisible-characters',
        'runners.csv:6 text-too-long',
      ])
      expect(rejectLines(report.rejects)).toEqual(['runners.csv:7 invisible-characters'])
      const names = await place.database.rows<{ name: string | null }>(
        `select horse.name_en as name from runner join horse on horse.id = horse_id order by horse_no`,
      )
      expect(names.map(({ name }) => name)).toEqual([null, null, 'Paper 3', '紙馬　一號', 'Paper 5'])
    }))
})

describe('instants', () => {
  test('in any form of ISO 8601 with Z or an offset are stored; others are refused with the form', () =>
    withDatabase(async (place) => {
      const good = [
        '2026-03-08T04:00:00Z',
        '2026-03-08T04:01:00.123Z',
        '2026-03-08T04:02Z',
        '2026-03-08T04:03:00+00:00',
        '2026-03-08T04:04:00.123456+00:00',
        '2026-03-08T12:05:00+08:00',
        '2026-03-07T18:06-1000',
      ]
      const bad = ['2026-03-08T04:00:00', '1772942400', '2026-02-30T04:00:00Z', '2026-03-08T24:10Z', 'noon']
      const report = await importAs(place, FURLONG_FORMAT, {
        'runners.csv': runnersCsv(...furlongRace()),
        'odds.csv': oddsCsv(...good, ...bad),
      })
      const stored = await place.database.rows<{ at: string }>(
        'select seen_at as at from odds_tick order by seen_at',
      )
      expect(stored.map(({ at }) => at.slice(11, 16))).toEqual(good.map((_, index) => `04:0${index}`))
      expect(rejectLines(report.rejects)).toEqual([
        'odds.csv:9 no-zone',
        'odds.csv:10 not-an-instant',
        'odds.csv:11 no-such-day',
        'odds.csv:12 no-such-day',
        'odds.csv:13 not-an-instant',
      ])
      expect(report.rejects[0]!.detail).toContain('seen_at_utc: 2026-03-08T04:00:00 (write it like 2026-')
    }))

  test('a post time on another day is unknown; one with an offset is the same instant', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, FURLONG_FORMAT, {
        'runners.csv': runnersCsv(
          ...furlongRace({ starts_at_utc: '2026-03-08T13:00:00.5+08:00' }),
          ...furlongRace({ race_no: '2', starts_at_utc: '2030-03-08T05:00Z' }),
        ),
      })
      expect(new Set(report.unknown.map(({ kind }) => kind))).toEqual(new Set(['start-on-another-day']))
      expect(await place.database.rows('select starts_at from race order by id')).toEqual([
        { startsAt: '2026-03-08T05:00:00.500Z' },
        { startsAt: null },
      ])
    }))
})

describe('files that an import does not know', () => {
  const refusalOf = async (format: typeof HK_FORMAT, name: string, content: string) => {
    const folder = newFolder()
    writeFileSync(join(folder, name), content)
    let refusal: unknown
    await withDatabase(async ({ database }) => {
      const request = { format, paths: [folder], replaceDemonstration: false }
      refusal = await importFiles(database, request).catch((error: unknown) => error)
    })
    return refusal as { code: string; details: Record<string, string> }
  }

  test('the columns that the nearest kinds need are named', async () => {
    const header = 'stadium,date,race_no,race_status,horse_no,status,place,win_odds'
    expect(await refusalOf(FURLONG_FORMAT, 'mine.csv', `${header}\n`)).toMatchObject({
      code: 'not-this-format',
      details: { file: 'mine.csv', format: 'furlong', missing: expect.stringMatching(/^runners: brand; /) },
    })
    const hk = await refusalOf(HK_FORMAT, 'results-2020.csv', `${HK_HEADER.replace('horse_no', 'HorseNo')}\n`)
    expect(hk.details['missing']).toMatch(/^results: horse_no; /)
  })

  test('a file of another format says which', async () => {
    expect(await refusalOf(FURLONG_FORMAT, 'results.csv', csv(HK_HEADER, ...hkRace()))).toMatchObject({
      code: 'other-format',
      details: { other: 'hk', kind: 'results' },
    })
  })

  test('a folder without CSV files is no missing file', async () => {
    expect(await refusalOf(FURLONG_FORMAT, 'runners.xlsx', 'PK')).toMatchObject({
      code: 'no-csv-files',
      details: { files: 1, names: 'runners.xlsx' },
    })
  })

  test('names of files end in .csv or .CSV', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, FURLONG_FORMAT, { 'RUNNERS.CSV': runnersCsv(...furlongRace()) })
      expect(report.tables['race']).toMatchObject({ inserted: 1 })
    }))
})

describe.skipIf(!existsSync(CASES))(
  'files of other people (skipped where ../shared/cases is missing)',
  () => {
    /** The CSV files of a case in a folder of their own. */
    const filesOf = (name: string): string => {
      const folder = newFolder()
      mkdirSync(folder, { recursive: true })
      for (const file of readdirSync(join(CASES, name)))
        if (file.endsWith('.csv')) copyFileSync(join(CASES, name, file), join(folder, file))
      return folder
    }
    const importCase = (place: TestDatabase, name: string) =>
      importFiles(place.database, {
        format: FURLONG_FORMAT,
        paths: [filesOf(name)],
        replaceDemonstration: false,
      })

    test('our layout filled by hand', () =>
      withDatabase(async (place) => {
        const report = await importCase(place, '10-furlong-layout-by-hand/typed')
        const runners = await runnersOf(place)
        expect(runners.map(({ tied }) => tied)).toEqual([true, true, false, false, false])
        expect(runners.map(({ odds }) => odds)).toEqual([3, null, 8, 11, 1000])
        expect(runners.map(({ ms }) => ms)).toEqual([70_100, 70_100, null, 70_600, 71_000])
        expect(rejectLines(report.unknown)).toEqual([
          'runners.csv:3 other-decimal-sign',
          'runners.csv:4 not-a-time',
        ])
        expect(rejectLines(report.rejects).toSorted()).toEqual([
          'dividends.csv:3 bad-combination',
          'dividends.csv:4 bad-combination',
          'dividends.csv:5 bad-combination',
          'dividends.csv:6 no-such-runner',
        ])
        const paid = await place.database.rows('select dividend_cents as cents from dividend order by 1')
        expect(paid).toEqual([{ cents: 1600 }, { cents: 123_450 }])
      }))

    test('our layout as pandas writes it', () =>
      withDatabase(async (place) => {
        const report = await importCase(place, '10-furlong-layout-by-hand/floats')
        expect([report.rejects, report.unknown]).toEqual([[], []])
        expect(await runnersOf(place)).toHaveLength(5)
      }))

    test('instants', () =>
      withDatabase(async (place) => {
        const report = await importCase(place, '11-instants')
        // All six instants are read; the first and the last are one moment of one horse, with different odds.
        expect(rejectLines(report.rejects)).toEqual(['odds.csv:7 two-odds-of-one-moment'])
        expect(report.tables['odds_tick']).toMatchObject({ inserted: 5 })
      }))
  },
)
