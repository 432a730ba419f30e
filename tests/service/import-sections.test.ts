// @module-tag rest
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { takeBatch } from '../../server/ingest/feed.ts'
import { FURLONG_FORMAT } from '../../server/ingest/furlong/furlong-format.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { HK_SECTIONALS_FORMAT } from '../../server/ingest/hk/hk-sectionals-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { reportLines } from '../../server/drafts/report.ts'
import { FEED_BODIES } from '../../contract/api/feed.ts'
import { csv, HK_HEADER, hkRace, importAs, rejectLines, withDatabase } from '../support/import-files.ts'
import type { TestDatabase } from '../support/databases.ts'

const SECTION_HEADER = [
  'date,racecourse,race_no,horse_no,brand,finish_pos,finish_time',
  ...[1, 2, 3, 4, 5, 6].map((no) =>
    ['position', 'margin', 'time', 'splits'].map((what) => `sec${no}_${what}`).join(','),
  ),
].join(',')

/** Row of horse `no` in the race of `hkRace`; `sections`: position, margin and time of each. */
const sectionRow = (no: number, time: string, sections: readonly string[], brand = `Z90${no}`): string => {
  const cells = Array.from({ length: 6 }, (_, index) => `${sections[index] ?? ',,'},`)
  return `2019-03-06,ST,1,${no},${brand},${no},${time},${cells.join(',')}`
}

const good = [
  sectionRow(1, '1:11.00', ['1,1/2,24.00', '1,1,23.00', '1,SH,24.00']),
  sectionRow(2, '1:12.00', ['2,1/2,24.10', '3,1-1/4,23.30', '2,SH,24.60']),
  // A time that is missing stays missing.
  sectionRow(3, '1:13.00', ['3,2,24.40', '2,1,', '3,N,24.60']),
]

const stored = (place: TestDatabase) =>
  place.database.rows<
    Record<'horseNo' | 'sectionNo' | 'position' | 'timeMs', number | null> & { margin: string | null }
  >('select horse_no, section_no, position, margin, time_ms from section order by 1, 2')
const medians = (place: TestDatabase) =>
  place.database.rows<Record<string, unknown>>(
    'select section_no, runners, median_ms from race_section order by 1',
  )

test('official sections are stored once, and what contradicts itself is reported', () =>
  withDatabase(async (place) => {
    await importAs(place, HK_FORMAT, { 'results.csv': csv(HK_HEADER, ...hkRace()) })
    const rows = [
      ...good,
      good[0]!,
      // The file's own time, and the stored one, are not the sum.
      sectionRow(4, '1:14.00', ['4,3,24.00', '4,3,23.00', '4,ML,99.99']),
      sectionRow(5, '1:11.00', ['5,4,24.00', '5,4,23.00', '5,4,24.00']),
      sectionRow(9, '1:14.00', ['4,3,24.00', '4,3,23.00', '4,3,24.00']),
      sectionRow(4, '1:14.00', ['4,3,25.00', '4,3,24.00', '4,3,25.00'], 'Z999'),
      sectionRow(2, '1:12.00', ['2,1/2,24.00', '3,1-1/4,23.40', '2,SH,24.60']),
      sectionRow(1, '1:11.00', ['1,1/2,24.00']).replace(',ST,1,', ',ST,2,'),
      sectionRow(1, '1:11.00', ['1,1/2,24.00']).replace(',ST,', ',XX,'),
    ]
    const report = await importAs(place, HK_SECTIONALS_FORMAT, {
      'a.csv': csv(SECTION_HEADER, ...rows),
      'b.csv': csv(SECTION_HEADER),
    })
    expect(report.duplicates).toEqual({ sectionals: 1 })
    expect(report.filesWithoutRows).toEqual(['b.csv'])
    expect(rejectLines(report.rejects)).toEqual([
      'a.csv:9 section-twice',
      'a.csv:10 section-twice',
      'a.csv:11 no-such-race',
      'a.csv:12 unknown-venue',
      'a.csv:6 sections-contradict-time',
      'a.csv:7 sections-contradict-time',
      'a.csv:8 no-such-runner',
    ])
    expect(rejectLines(report.unknown)).toEqual(['a.csv:4 section-time-missing'])
    expect(reportLines(report).join('\n')).toContain('files with a header only: 1 (b.csv)')
    expect(report.tables['section']).toEqual({ inserted: 9, updated: 0, unchanged: 0 })
    expect((await stored(place)).slice(6)).toEqual([
      { horseNo: 3, sectionNo: 1, position: 3, margin: '2', timeMs: 24_400 },
      { horseNo: 3, sectionNo: 2, position: 2, margin: '1', timeMs: null },
      { horseNo: 3, sectionNo: 3, position: 3, margin: 'NK', timeMs: 24_600 },
    ])
    expect(await medians(place)).toEqual([
      { sectionNo: 1, runners: 3, medianMs: 24_100 },
      { sectionNo: 2, runners: 2, medianMs: 23_150 },
      { sectionNo: 3, runners: 3, medianMs: 24_600 },
    ])

    const again = await importAs(place, HK_SECTIONALS_FORMAT, { 'a.csv': csv(SECTION_HEADER, ...good) })
    expect(again.tables['section']).toEqual({ inserted: 0, updated: 0, unchanged: 9 })
    // Results that come again have no sections: the stored ones stay.
    await importAs(place, HK_FORMAT, { 'results.csv': csv(HK_HEADER, ...hkRace({ going: '快地' })) })
    expect(await stored(place)).toHaveLength(9)
  }))

test('new sections make the files of their season and of later ones outdated, and no earlier or equal ones do', () =>
  withDatabase(async (place) => {
    await importAs(place, HK_FORMAT, { 'results.csv': csv(HK_HEADER, ...hkRace()) })
    await place.database.rows(
      `insert into partition_revision (region_id, season, revision)
       select region_id, season + step, 7 from race, unnest(array[-1, 1]) as step`,
    )
    const revisions = () =>
      place.database.rows<{ season: number; revision: number }>(
        'select season, revision from partition_revision where season > 0 order by season',
      )
    const before = await revisions()
    expect(before).toHaveLength(3)
    const file = { 'a.csv': csv(SECTION_HEADER, ...good) }
    await importAs(place, HK_SECTIONALS_FORMAT, file)
    const after = await revisions()
    expect(after.map(({ revision }, at) => revision - before[at]!.revision)).toEqual([0, 1, 1])
    await importAs(place, HK_SECTIONALS_FORMAT, file)
    expect(await revisions()).toEqual(after)
  }))

test('another horse under the saddle number is refused', () =>
  withDatabase(async (place) => {
    await importAs(place, HK_FORMAT, { 'results.csv': csv(HK_HEADER, ...hkRace()) })
    const row = sectionRow(4, '1:14.00', ['4,3,25.00', '4,3,24.00', '4,3,25.00'], 'Z999')
    const report = await importAs(place, HK_SECTIONALS_FORMAT, { 'a.csv': csv(SECTION_HEADER, row) })
    expect(report.rejects.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
      'no-such-runner HKSHT2019030601 4: Z999, stored as Z904',
    ])
  }))

test('our own layout has a row for each section', () =>
  withDatabase(async (place) => {
    await importAs(place, HK_FORMAT, { 'results.csv': csv(HK_HEADER, ...hkRace()) })
    const header = 'stadium,date,race_no,horse_no,section,position,margin,time'
    const rows = [
      'HKSHT,2019-03-06,1,1,1,1,1/2,24.00',
      'HKSHT,2019-03-06,1,1,2,1,1,23.00',
      'HKSHT,2019-03-06,1,1,3,1,SH,24.00',
      'HKSHT,2019-03-06,1,2,1,2,1/2,24.10',
      'HKSHT,2019-03-06,1,2,1,2,1/2,24.20',
      'HKSHT,2019-03-06,1,2,0,2,1/2,24.20',
    ]
    const report = await importAs(place, FURLONG_FORMAT, { 'sections.csv': csv(header, ...rows) })
    expect(rejectLines(report.rejects)).toEqual([
      'sections.csv:6 section-twice',
      'sections.csv:7 out-of-range',
    ])
    expect((await stored(place)).map(({ horseNo, sectionNo }) => `${horseNo} ${sectionNo}`)).toEqual([
      '1 1',
      '1 2',
      '1 3',
      '2 1',
    ])
  }))

test('the feed brings sections with a result, leaves out wrong ones, and takes them away with it', () =>
  withDatabase(async (place) => {
    await importAs(place, HK_FORMAT, { 'results.csv': csv(HK_HEADER, ...hkRace()) })
    const { database } = place
    const runners = [1, 2, 3, 4, 5].map((no) => ({
      horseNo: no,
      place: no,
      finishTimeMs: 70_000 + no * 1000,
      sections: [
        { position: no, margin: null, timeMs: 35_000 },
        { position: no, timeMs: no === 5 ? 30_000 : 35_000 + no * 1000 },
      ],
    }))
    const send = (key: string, race: object) =>
      takeBatch(
        database,
        {
          source: 'test',
          key,
          kind: 'results',
          body: FEED_BODIES.results.parse({ races: [{ raceId: 'HKSHT2019030601', ...race }] }),
        },
        new Date(),
      )
    const report = await send('first', { status: 'final', runners })
    expect(report.rejected.map(({ horseNo, reason, held }) => ({ horseNo, reason, held }))).toEqual([
      { horseNo: 5, reason: 'sections-contradict-time', held: false },
    ])
    expect(await stored(place)).toHaveLength(8)
    expect((await medians(place))[0]).toEqual({ sectionNo: 1, runners: 4, medianMs: 35_000 })
    // An amended result without sections keeps them; one that says there are none removes them.
    await send('second', {
      status: 'final',
      runners: runners.map((runner) => ({ ...runner, sections: null })),
    })
    expect(await stored(place)).toHaveLength(8)
    await send('third', { status: 'abandoned' })
    expect(await stored(place)).toEqual([])
    expect(await medians(place)).toEqual([])
  }))

const FILES = fileURLToPath(new URL('../../../shared/data/hk-sectionals', import.meta.url))
const RESULTS = fileURLToPath(new URL('../../../shared/data/hk', import.meta.url))
const isThere = existsSync(FILES) && existsSync(RESULTS)

test.skipIf(!isThere)('a real season agrees with its results (skipped where ../shared/data is missing)', () =>
  withDatabase(async (place) => {
    const imported = (format: typeof HK_FORMAT, paths: string[]) =>
      importFiles(place.database, { format, paths, replaceDemonstration: false })
    await imported(HK_FORMAT, [`${RESULTS}/results-2019.csv`, `${RESULTS}/results-2020.csv`])
    const report = await imported(HK_SECTIONALS_FORMAT, [`${FILES}/sectionals-2019-20.csv`])
    expect(report.rejects.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
      'sections-contradict-time HKSHT2019100101 7: they do not add up to 150.78 s',
    ])
    const [sum] = await place.database.rows<{ runners: number; wrong: number }>(
      `select count(*) as runners, count(*) filter (where sum <> finish_time_ms) as wrong
         from (select race_id, horse_no, sum(time_ms) as sum from section group by 1, 2) s
         join runner using (race_id, horse_no)`,
    )
    expect(sum!.wrong).toBe(0)
    expect(sum!.runners).toBe(report.rowsRead - 1)
  }),
)
