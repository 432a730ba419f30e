import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HONG_KONG } from '../../domain/region.ts'
import { FURLONG_FORMAT } from '../../server/ingest/furlong/furlong-format.ts'
import type { ImportFormat } from '../../server/ingest/format.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { reportLines, type ImportReport } from '../../server/ingest/report.ts'
import { US_FORMAT } from '../../server/ingest/us/us-format.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { readFormOnly } from '../../server/store/history-store.ts'
import { findRepeatedRaces } from '../../server/store/race-signature.ts'
import { newDatabase, newFolder, type TestDatabase } from '../support/databases.ts'

const HK_HEADER =
  'date,venue,race_no,race_meeting_no,race_name,race_class,distance_m,rating_range,going,course,prize_hkd,race_finish_time,sectional_times_header,place,horse_no,horse_name,jockey,trainer,actual_wt_lbs,declared_wt_lbs,draw,lbw,running_position,finish_time,win_odds'
const DIVIDEND_HEADER = 'date,venue,race_no,pool,combination,dividend_hkd'

interface Field {
  date?: string
  raceNo?: number
  place?: string
  going?: string
  draw?: string
  weight?: string
  odds?: string
  jockey?: string
}

/** A runner of an invented race; horse `no` is Z90`no`. */
const hkRow = (no: number, field: Field = {}): string => {
  const { date = '2019-03-06', raceNo = 1, place = String(no), going = '好地', draw = String(no) } = field
  const { weight = '120', odds = String(2 + no), jockey = '試騎師' } = field
  return `${date},沙田,${raceNo},1,試驗,第四班,1200,60-40,${going},全天候跑道,600000,(1:10.00),1,${place},${no},試馬${no} (Z90${no}),${jockey},試練馬師,${weight},1100,${draw},1,1 1,1:1${no}.00,${odds}`
}
const hkRace = (field: Field = {}): string[] => [1, 2, 3, 4, 5].map((no) => hkRow(no, field))

async function importAs(
  place: TestDatabase,
  format: ImportFormat,
  files: Record<string, string | Buffer>,
): Promise<ImportReport> {
  const folder = newFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return importFiles(place.database, { format, paths: [folder], replaceDemonstration: false })
}

const csv = (header: string, ...rows: string[]): string => `${[header, ...rows].join('\n')}\n`
const kindsOf = (list: ImportReport['rejects']): string[] =>
  list.map(({ kind, file, line }) => `${file}:${line} ${kind}`)

async function withDatabase(work: (place: TestDatabase) => Promise<void>): Promise<void> {
  const place = await newDatabase('postgresql')
  try {
    await work(place)
  } finally {
    await place.close()
  }
}

describe('imports keep what they can', () => {
  test('an unreadable draw, weight, going, jockey or odds is unknown, reported, and the race stays', () =>
    withDatabase(async (place) => {
      const rows = [
        hkRow(1, { draw: 'x1' }),
        hkRow(2, { weight: '12O' }),
        hkRow(3, { odds: '-4' }),
        hkRow(4, { jockey: 'a\u0000b' }),
        hkRow(5),
      ]
      const report = await importAs(place, HK_FORMAT, { 'results-2019.csv': csv(HK_HEADER, ...rows) })
      expect(report.rejects).toEqual([])
      expect(kindsOf(report.unknown)).toEqual([
        'results-2019.csv:2 not-a-number',
        'results-2019.csv:3 not-a-number',
        'results-2019.csv:4 odds-out-of-range',
        'results-2019.csv:5 unreadable-characters',
      ])
      expect(reportLines(report).join('\n')).toContain('stored as unknown: 2 × not-a-number')
      const runners = await place.database.rows(
        'select horse_no, draw, actual_weight_lb, win_odds, jockey_id from runner order by horse_no',
      )
      expect(runners).toHaveLength(5)
      expect(runners.slice(0, 4)).toMatchObject([
        { draw: null, actual_weight_lb: 120 },
        { draw: 2, actual_weight_lb: null },
        { win_odds: null },
        { jockey_id: null },
      ])
      // A market line that left out one starter would flatter the others.
      await scoreStaleRaces(place.database)
      expect(await place.database.rows('select 1 from prediction')).toEqual([])
    }))

  test('a place that cannot be read rejects its race, and the dividends under the same reason', () =>
    withDatabase(async (place) => {
      const bad = [...hkRace().slice(0, 4), hkRow(5, { place: '??' })]
      const report = await importAs(place, HK_FORMAT, {
        'results-2019.csv': csv(
          HK_HEADER,
          ...hkRace({ raceNo: 2 }).map((row) => row.replaceAll('Z90', 'Z80')),
          ...bad,
        ),
        'dividends-2019.csv': csv(
          DIVIDEND_HEADER,
          '2019-03-06,沙田,1,獨贏,1,30.00',
          '2019-03-06,沙田,7,獨贏,1,30.00',
        ),
      })
      expect(kindsOf(report.rejects)).toEqual([
        'results-2019.csv:11 unknown-place-code',
        'results-2019.csv:11 race-incomplete',
        'dividends-2019.csv:2 unknown-place-code',
        'dividends-2019.csv:3 no-such-race',
      ])
      expect(report.rejects[2]!.detail).toContain('the race was rejected at results-2019.csv:11')
      expect(await place.database.rows('select id from race')).toEqual([{ id: 'HKSHT2019030602' }])
    }))

  test('a row that lost a cell takes its race with it, not only itself', () =>
    withDatabase(async (place) => {
      const rows = hkRace()
      rows[4] = rows[4]!.split(',').slice(0, -1).join(',')
      const report = await importAs(place, HK_FORMAT, {
        'results-2019.csv': csv(
          HK_HEADER,
          ...rows,
          ...hkRace({ raceNo: 2 }).map((row) => row.replaceAll('Z90', 'Z80')),
        ),
      })
      expect(kindsOf(report.rejects)).toEqual([
        'results-2019.csv:6 wrong-number-of-cells',
        'results-2019.csv:6 race-incomplete',
      ])
      expect(await place.database.rows('select id from race')).toEqual([{ id: 'HKSHT2019030602' }])
    }))

  test('refunds alone make an abandoned race; a paid line beside them does not', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, HK_FORMAT, {
        'results-2019.csv': csv(HK_HEADER, ...hkRace()),
        'dividends-2019.csv': csv(
          DIVIDEND_HEADER,
          '2019-03-10,沙田,1,獨贏,-,退款',
          '2019-03-10,沙田,1,連贏,-,退款',
          '2019-03-10,沙田,2,獨贏,-,退款',
          '2019-03-10,沙田,2,連贏,"1,2",55.00',
        ),
      })
      expect(kindsOf(report.rejects).toSorted()).toEqual([
        'dividends-2019.csv:4 no-such-race',
        'dividends-2019.csv:5 no-such-race',
      ])
      expect(
        await place.database.rows(
          `select id, status, (select count(*) from dividend where race_id = id) as lines from race order by id`,
        ),
      ).toEqual([
        { id: 'HKSHT2019030601', status: 'final', lines: 0 },
        { id: 'HKSHT2019031001', status: 'abandoned', lines: 2 },
      ])
      await scoreStaleRaces(place.database)
      const again = await importAs(place, HK_FORMAT, {
        'results-2019.csv': csv(
          HK_HEADER,
          ...hkRace({ date: '2019-03-10' }).map((row) => row.replaceAll(':1', ':2')),
        ),
      })
      expect(again.rejects).toEqual([])
      expect(await place.database.rows(`select status from race where id = 'HKSHT2019031001'`)).toEqual([
        { status: 'final' },
      ])
    }))

  test('a race that repeats another under a later date is rejected and names its twin', () =>
    withDatabase(async (place) => {
      const files = {
        'results-2019.csv': csv(HK_HEADER, ...hkRace({ date: '2019-03-10' }), ...hkRace()),
        'dividends-2019.csv': csv(DIVIDEND_HEADER, '2019-03-10,沙田,1,獨贏,1,30.00'),
      }
      const report = await importAs(place, HK_FORMAT, files)
      expect(kindsOf(report.rejects)).toEqual([
        'results-2019.csv:2 race-repeated',
        'dividends-2019.csv:2 race-repeated',
      ])
      expect(report.rejects[0]!.detail).toBe(
        'HKSHT2019031001 has the runners and finish times of HKSHT2019030601',
      )
      const alone = await importAs(place, HK_FORMAT, {
        'results-2020.csv': csv(HK_HEADER, ...hkRace({ date: '2020-01-01' })),
      })
      expect(kindsOf(alone.rejects)).toEqual(['results-2020.csv:2 race-repeated'])
      // One that came before there was a check.
      await place.database.rows(
        `insert into race (id, key, region_id, stadium_id, race_date, race_no, season, declared_starters, places, status)
         select 'HKSHT2019031001', 99, region_id, stadium_id, '2019-03-10', 1, season, declared_starters, places, status from race`,
      )
      await place.database.rows(
        `insert into runner (race_id, horse_id, horse_no, status, place, finish_time_ms)
         select 'HKSHT2019031001', horse_id, horse_no, status, place, finish_time_ms from runner`,
      )
      expect(await findRepeatedRaces(place.database)).toEqual([
        { id: 'HKSHT2019031001', twin: 'HKSHT2019030601' },
      ])
    }))
})

describe('bad input gets a line and a reason', () => {
  test.each([
    [
      'a year that nobody races in',
      csv(HK_HEADER, ...hkRace(), hkRow(1, { date: '9999-01-01' })),
      '7 date-out-of-range',
    ],
    [
      'NUL in the place',
      csv(HK_HEADER, ...hkRace(), hkRow(1, { raceNo: 3, place: '1\u0000' })),
      '7 unreadable-characters',
    ],
    [
      'bytes that are no UTF-8 in the place',
      Buffer.concat([
        Buffer.from(csv(HK_HEADER, ...hkRace())),
        Buffer.from(hkRow(1, { raceNo: 3, place: '?' }).replace(',?,', ',\u00FF,'), 'latin1'),
      ]),
      '7 unreadable-characters',
    ],
  ])('%s', (_, content, expected) =>
    withDatabase(async (place) => {
      const report = await importAs(place, HK_FORMAT, { 'results-2019.csv': content })
      expect(kindsOf(report.rejects)).toEqual([`results-2019.csv:${expected}`])
      expect(await place.database.rows('select id from race')).toEqual([{ id: 'HKSHT2019030601' }])
    }),
  )

  test('a column that stands twice in the header is named', () =>
    withDatabase(async (place) => {
      const content = csv(`${HK_HEADER},place`, ...hkRace().map((row) => `${row},1`))
      await expect(importAs(place, HK_FORMAT, { 'results-2019.csv': content })).rejects.toMatchObject({
        code: 'file-unreadable',
        details: { reason: 'line 1: two columns "place"' },
      })
    }))

  test('a file of which no row can be read says why', () =>
    withDatabase(async (place) => {
      const content = csv(HK_HEADER, ...hkRace({ place: '??' }))
      await expect(importAs(place, HK_FORMAT, { 'results-2019.csv': content })).rejects.toMatchObject({
        code: 'no-good-row',
        details: { file: 'results-2019.csv', line: 2, reason: 'unknown-place-code, ??' },
      })
    }))

  const HEADER = 'stadium,date,race_no,race_status,horse_no,brand,status,place,win_odds'
  test.each([
    ['a finisher in a scheduled race', 'scheduled', 'finished,1'],
    ['a place without a finish', 'final', 'unfinished,1'],
    ['a withdrawn horse with a place', 'final', 'withdrawn,2'],
  ])('contradictory status: %s', (_, status, runner) =>
    withDatabase(async (place) => {
      const good = `HKSHT,2026-01-01,1,final,1,AB1,finished,1,2.5`
      const report = await importAs(place, FURLONG_FORMAT, {
        'runners.csv': csv(HEADER, good, `HKSHT,2026-01-02,1,${status},1,AB2,${runner},3.5`),
      })
      expect(kindsOf(report.rejects)).toEqual(['runners.csv:3 contradictory-status'])
    }),
  )

  test('rows of one race that disagree on its status reject it', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, FURLONG_FORMAT, {
        'runners.csv': csv(
          HEADER,
          'HKSHT,2026-01-01,1,final,1,AB1,finished,1,2.5',
          'HKSHT,2026-01-01,1,abandoned,2,AB2,unfinished,,2.5',
        ),
      })
      expect(kindsOf(report.rejects)).toEqual([
        'runners.csv:3 contradictory-status',
        'runners.csv:3 race-incomplete',
      ])
    }))
})

describe('the past does not move', () => {
  const FORM_HEADER =
    'horse_no,race_index,place,date,racecourse,track,course,distance_m,going,race_class,draw,rating,trainer,jockey,lbw,win_odds,actual_wt_lbs,running_position,finish_time,declared_wt_lbs,gear'
  const run = (brand: string, date: string, time = '1.10.30'): string =>
    `${brand},303,02,${date},沙田,,,1200,好,4,1,50,試練馬師,試騎師,1,3.1,123,4 3 1,${time},1100,B1`
  const PROFILE_HEADER = 'horse_no,name,status,毛色___性別,進口類別,父系,母系,外祖父'

  test('runs of a horse are read before its profile arrives, and the same afterwards', () =>
    withDatabase(async (place) => {
      await importAs(place, HK_FORMAT, {
        'results-2019.csv': csv(HK_HEADER, ...hkRace()),
        'form.csv': csv(FORM_HEADER, run('Z901', '02/01/2015'), run('Z777', '02/01/2015')),
      })
      const before = await readFormOnly(place.database, HONG_KONG.id, '2010-01-01', '2030-01-01')
      expect(before.flatMap(({ starters }) => starters.map(({ horseId }) => horseId))).toEqual([
        'HK-Z777',
        'HK-Z901',
      ])
      await importAs(place, HK_FORMAT, {
        'horses.csv': csv(PROFILE_HEADER, 'Z777,遲來 (Z777),active,棗 / 閹,自購馬,S,D,G'),
      })
      expect(await readFormOnly(place.database, HONG_KONG.id, '2010-01-01', '2030-01-01')).toEqual(before)
    }))

  test('a brand that is given again keeps the runs of the horse that bore it then', () =>
    withDatabase(async (place) => {
      const second = hkRace({ date: '2024-03-06' }).map((row) =>
        row.replaceAll('試馬', '新馬').replaceAll(':1', ':2'),
      )
      await importAs(place, HK_FORMAT, {
        'results-2019.csv': csv(HK_HEADER, ...hkRace(), ...second),
        'form.csv': csv(FORM_HEADER, run('Z901', '02/01/2015'), run('Z901', '02/05/2024')),
      })
      const runs = await readFormOnly(place.database, HONG_KONG.id, '2010-01-01', '2030-01-01')
      expect(runs.map(({ date, starters }) => [date, starters[0]!.horseId])).toEqual([
        ['2015-01-02', 'HK-Z901'],
        ['2024-05-02', 'HK-Z901-2'],
      ])
    }))
})

describe('coupled entries of North American charts', () => {
  const HEADER =
    'race_id,Name,Odds,FinishPosition,$2WinPay,$2PlacePay,$2ShowPay,ExactaPay,QuinellaPay,FieldSize,track,RaceNum,Date,DistYrds,surface,TrackCondition,ClassDescriptor,Purse,Weight,PP,BettersToteProb,BettersToteProbRk,BettersToteProbDiff'
  const row = (name: string, odds: string, place: number, pays: string, post: number): string =>
    `0,${name},${odds},${place},${pays},41.8,0,6,BEL,1,5/30/16,1320,D,FT,S,50000,117,${post},0.7,1,-0.1`

  test('one price, one bet, settled by any of its horses', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, US_FORMAT, {
        'FormattedResults.csv': csv(
          HEADER,
          row('INK', '29.5', 5, '0,0,0', 1),
          row('PEN', '1.55', 3, '0,0,2.3', 2),
          row('ROCK', '5.6', 4, '13.2,5.3,2.5', 3),
          row('PAPER', '1.95', 2, '0,3.5,2.3', 4),
          row('STAR', '5.6', 1, '13.2,5.3,2.5', 7),
          // The same odds without a pay that its place does not explain: two horses.
          row('BLOT', '29.5', 6, '0,0,0', 8),
        ),
      })
      expect(report.rejects).toEqual([])
      expect(
        await place.database.rows(
          'select horse_no, entry_no from runner where entry_no is not null order by 1',
        ),
      ).toEqual([
        { horse_no: 3, entry_no: 3 },
        { horse_no: 7, entry_no: 3 },
      ])
      await scoreStaleRaces(place.database)
      const settled = await place.database.rows<{ key: string; outcome: string; profit: number | null }>(
        `select gameplay_class || ' ' || combination as key, outcome, profit_cents as profit
         from prediction join settlement using (race_id, model_id, gameplay_class, rank)`,
      )
      const of = (key: string): unknown => settled.find((line) => line.key === key)
      expect(of('1 3')).toMatchObject({ outcome: 'hit', profit: 5600 })
      expect(of('1 7')).toBeUndefined()
      expect(of('2 3')).toMatchObject({ outcome: 'hit', profit: 1650 })
      expect(of('5 3-4')).toMatchObject({ outcome: 'hit', profit: 19_900 })
      const [sum] = await place.database.rows<{ sum: number; horses: number }>(
        'select sum(probability) as sum, count(*) as horses from win_chance',
      )
      expect(sum!.horses).toBe(5)
      expect(sum!.sum).toBeCloseTo(1, 5)
      expect(await place.database.rows('select amended from race')).toEqual([{ amended: false }])
    }))
})
