import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import type { ImportReport } from '../../server/drafts/report.ts'
import { reportLines } from '../../server/drafts/report.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { writeHkFiles } from '../fixtures/hk-files.ts'
import { describeOnBoth, newDatabase, newFolder, type TestDatabase } from '../support/databases.ts'

const importFrom = (from: TestDatabase, path: string): Promise<ImportReport> =>
  importFiles(from.database, { format: HK_FORMAT, paths: [path], replaceDemonstration: false })

describeOnBoth('invented files with every defect, on %s', { usual: 'postgresql' }, (kind) => {
  let place: TestDatabase
  let report: ImportReport
  const folder = writeHkFiles(newFolder())
  const rows = <Row>(sql: string): Promise<Row[]> => place.database.rows<Row>(sql)

  beforeAll(async () => {
    place = await newDatabase(kind)
    report = await importFrom(place, folder)
  })
  afterAll(() => place.close())

  test('rejects are counted by kind, with file and line', () => {
    const rejects = report.rejects.map(({ kind: reject, file, line }) => `${file}:${line} ${reject}`)
    expect(rejects).toEqual([
      'results-2016.csv:26 unknown-place-code',
      'results-2016.csv:27 horse-without-brand',
      'results-2016.csv:28 unknown-venue',
      'results-2016.csv:29 bad-date',
      'results-2016.csv:30 wrong-number-of-cells',
      'results-2016.csv:26 race-incomplete',
      'dividends-2016.csv:16 bad-combination',
      'dividends-2016.csv:17 bad-dividend',
    ])
    expect(reportLines(report).join('\n')).toContain('rejected: 1 × unknown-place-code')
  })

  test('copies and non-starters are counted', () => {
    expect(report.duplicates).toEqual({ results: 6, dividends: 1 })
    expect(report.racesWithDuplicates).toBe(1)
    expect(report.nonStarters).toBe(2)
  })

  test('races have their place in time, season and course', async () => {
    const races = await rows<Record<string, unknown>>(
      `select id, season, race_class, track, course, distance_m, going, declared_starters, places from race
       where status = 'final' order by id`,
    )
    expect(races).toEqual([
      {
        id: 'HKHAV2016030201',
        season: 2015,
        raceClass: 'C4',
        track: 'turf',
        course: 'C+3',
        distanceM: 1200,
        going: 'good',
        declaredStarters: 8,
        places: 3,
      },
      {
        id: 'HKHAV2016030202',
        season: 2015,
        raceClass: 'G3',
        track: 'awt',
        course: null,
        distanceM: 1650,
        going: 'wet_slow',
        declaredStarters: 8,
        places: 3,
      },
      {
        id: 'HKSHT2016090701',
        season: 2016,
        raceClass: 'C4',
        track: 'turf',
        course: 'C+3',
        distanceM: 1200,
        going: 'sealed',
        declaredStarters: 6,
        places: 2,
      },
    ])
  })

  test('a race of which only refunds are known was abandoned', async () => {
    expect(await rows(`select id, declared_starters, places from race where status = 'abandoned'`)).toEqual([
      { id: 'HKHAV2016102604', declaredStarters: 0, places: 0 },
    ])
  })

  test('a dead heat has two winners; codes say why a horse has no place', async () => {
    const runners = await rows<{
      horseNo: number | null
      place: number | null
      placeCode: string | null
      status: string
      deadHeat: boolean
    }>(
      `select horse_no, place, place_code, status, dead_heat from runner where race_id = 'HKHAV2016030202' order by horse_no nulls last`,
    )
    expect(runners.filter(({ place: at }) => at === 1).map((row) => [row.horseNo, row.deadHeat])).toEqual([
      [1, true],
      [2, true],
    ])
    expect(runners.slice(6)).toEqual([
      { horseNo: 7, place: null, placeCode: 'PU', status: 'unfinished', deadHeat: false },
      { horseNo: 8, place: null, placeCode: 'WV-A', status: 'withdrawn', deadHeat: false },
      { horseNo: null, place: null, placeCode: 'WV', status: 'withdrawn', deadHeat: false },
    ])
  })

  test('dividends are cents for HK$10; what is no figure is refund or unknown', async () => {
    const dividends = await rows<{ line: string; status: string; dividendCents: number | null }>(
      `select pool || ' ' || combination as line, status, dividend_cents from dividend where race_id like 'HKHAV201603%' order by race_id, gameplay_class nulls last`,
    )
    expect(dividends).toContainEqual({ line: 'quartet 2-1-3-4', status: 'paid', dividendCents: 226_778_100 })
    expect(dividends).toContainEqual({ line: 'tierce 2-1-3', status: 'paid', dividendCents: 123_400 })
    expect(dividends).toContainEqual({ line: 'first4 ', status: 'refund', dividendCents: null })
    expect(dividends).toContainEqual({ line: 'quartet 1-2-3-4', status: 'unknown', dividendCents: null })
    expect(dividends.filter(({ line }) => line.startsWith('win '))).toHaveLength(2)
    expect(
      await rows(`select race_id, pool, combination, dividend_cents from dividend where gameplay_class = 10`),
    ).toEqual([{ raceId: 'HKHAV2016030202', pool: 'double', combination: '2/1', dividendCents: 8800 }])
  })

  test('an age comes with the day on which it was told; without a day it is unknown', async () => {
    expect(
      await rows(`select id, age, age_on from horse where brand like 'Z10_' and sex is not null order by id`),
    ).toEqual([
      { id: 'HK-Z100', age: null, ageOn: null },
      { id: 'HK-Z101', age: 5, ageOn: '2026-04-25' },
      { id: 'HK-Z102', age: null, ageOn: null },
    ])
  })

  test('form fills rating and gear, and names come from their own file', async () => {
    expect(await rows(`select rating, gear from runner where horse_id = 'HK-Z100'`)).toEqual([
      { rating: 54, gear: 'B1' },
    ])
    expect(
      await rows(
        `select name_en, name_hant, origin, sex, colour, total_prize_cents from horse where id = 'HK-Z100'`,
      ),
    ).toEqual([
      {
        nameEn: 'Trial One Hundred',
        nameHant: '試馬100',
        origin: 'AU',
        sex: 'gelding',
        colour: 'bay',
        totalPrizeCents: 49_300_000,
      },
    ])
  })

  test('settled by those rules: paid, unknown, void', async () => {
    await scoreStaleRaces(place.database)
    const settled = await rows<{ key: string; outcome: string; profitCents: number | null }>(
      `select p.race_id || ' ' || p.gameplay_class || ' ' || p.combination as key, outcome, profit_cents
       from prediction p join settlement s using (race_id, model_id, gameplay_class, rank)`,
    )
    const of = (key: string): unknown => settled.find((row) => row.key === key)
    expect(of('HKHAV2016030201 1 2')).toMatchObject({ outcome: 'hit', profitCents: 3550 })
    expect(of('HKHAV2016030201 1 1')).toMatchObject({ outcome: 'miss', profitCents: -1000 })
    // Only the winner's place dividend is published.
    expect(of('HKHAV2016030201 2 2')).toMatchObject({ outcome: 'hit', profitCents: 700 })
    expect(of('HKHAV2016030201 2 1')).toMatchObject({ outcome: 'hit', profitCents: null })
    expect(of('HKHAV2016030201 2 4')).toMatchObject({ outcome: 'miss', profitCents: -1000 })
    // The first pool was refunded; the second was not held, or its dividend is unknown.
    expect(of('HKHAV2016030201 8 1-2-3-4')).toMatchObject({ outcome: 'void', profitCents: 0 })
    expect(of('HKHAV2016030201 5 2-1')).toMatchObject({ outcome: 'hit', profitCents: null })
    // The dividend of the second dead-heater is missing.
    expect(of('HKHAV2016030202 1 1')).toMatchObject({ outcome: 'hit', profitCents: 1050 })
    expect(of('HKHAV2016030202 1 2')).toMatchObject({ outcome: 'hit', profitCents: null })
    // Six declared starters: third is not placed.
    expect(of('HKSHT2016090701 2 1')).toMatchObject({ outcome: 'miss' })
    expect(of('HKSHT2016090701 2 2')).toMatchObject({ outcome: 'hit', profitCents: null })
  })

  test('a second import changes nothing and leaves nothing to score', async () => {
    const again = await importFrom(place, folder)
    for (const [table, count] of Object.entries(again.tables)) {
      expect(count, table).toMatchObject({ inserted: 0, updated: 0 })
      expect(count.unchanged, table).toBeGreaterThan(0)
    }
    expect((await scoreStaleRaces(place.database)).races).toBe(0)
  })

  test.each([
    ['another header', 'results-2099.csv', 'a,b,c\n1,2,3\n', 'not-this-format'],
    ['a picture', 'results-2098.csv', '\u0089PNG\r\n\u001A\n\u0000\u0000', 'not-this-format'],
    ['nothing', 'results-2097.csv', '', 'file-unreadable'],
    [
      'rows that are not what the header says',
      'results-2096.csv',
      'date,venue,race_no,pool,combination,dividend_hkd\na,b,c,d,e,f\n',
      'no-good-row',
    ],
  ])('a file that holds %s is refused and nothing is written', async (_, name, content, code) => {
    const bad = join(newFolder(), name)
    writeFileSync(bad, content)
    const before = await rows('select count(*) from race')
    const request = { format: HK_FORMAT, paths: [folder, bad], replaceDemonstration: false }
    await expect(importFiles(place.database, request)).rejects.toMatchObject({ code })
    expect(await rows('select count(*) from race')).toEqual(before)
  })

  test('a path that is not there is refused', async () => {
    await expect(importFrom(place, '/no/such/file.csv')).rejects.toMatchObject({ code: 'file-missing' })
  })

  test('a race whose rows stand in two files is refused the second time', async () => {
    const both = newFolder()
    writeHkFiles(both)
    copyFileSync(join(both, 'results-2016.csv'), join(both, 'results-2016b.csv'))
    const twice = await importFrom(place, both)
    expect(twice.rejects.filter((row) => row.kind === 'race-in-two-files')).not.toEqual([])
    expect(twice.tables['runner']).toMatchObject({ inserted: 0, updated: 0 })
  })

  test('a corrected result is scored again', async () => {
    await place.database.rows(
      `update runner set place = 2 where race_id = 'HKHAV2016030201' and horse_no = 2`,
    )
    const fixed = await importFrom(place, folder)
    expect(fixed.tables['runner']).toMatchObject({ updated: 1 })
    expect((await scoreStaleRaces(place.database)).races).toBe(1)
  })
})
