// @module-tag rest
import { describe, expect, test } from 'vitest'
import { FURLONG_FORMAT } from '../../server/ingest/furlong/furlong-format.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { reportLines } from '../../server/drafts/report.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { findRepeatedRaces } from '../../server/store/racing/race-signature.ts'
import {
  csv,
  DIVIDEND_HEADER,
  HK_HEADER,
  hkRace,
  hkRow,
  importAs,
  rejectLines,
  withDatabase,
} from '../support/import-files.ts'

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
      expect(rejectLines(report.unknown)).toEqual([
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
        { draw: null, actualWeightLb: 120 },
        { draw: 2, actualWeightLb: null },
        { winOdds: null },
        { jockeyId: null },
      ])
      // A market line without one of the starters would overrate the others.
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
      expect(rejectLines(report.rejects)).toEqual([
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
      expect(rejectLines(report.rejects)).toEqual([
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
      expect(rejectLines(report.rejects).toSorted()).toEqual([
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

  test('a corrected dividend replaces the wrong line instead of paying beside it', () =>
    withDatabase(async (place) => {
      const files = (combination: string) => ({
        'results-2019.csv': csv(HK_HEADER, ...hkRace()),
        'dividends-2019.csv': csv(
          DIVIDEND_HEADER,
          `2019-03-06,沙田,1,獨贏,${combination},30.00`,
          '2019-03-06,沙田,1,位置,1,11.00',
        ),
      })
      await importAs(place, HK_FORMAT, files('2'))
      await importAs(place, HK_FORMAT, files('1'))
      expect(
        await place.database.rows('select pool, combination, dividend_cents from dividend order by 1 desc'),
      ).toEqual([
        { pool: expect.any(String), combination: '1', dividendCents: expect.any(Number) },
        { pool: expect.any(String), combination: '1', dividendCents: expect.any(Number) },
      ])
    }))

  test('a race that repeats another under a later date is rejected and names its twin', () =>
    withDatabase(async (place) => {
      const files = {
        'results-2019.csv': csv(HK_HEADER, ...hkRace({ date: '2019-03-10' }), ...hkRace()),
        'dividends-2019.csv': csv(DIVIDEND_HEADER, '2019-03-10,沙田,1,獨贏,1,30.00'),
      }
      const report = await importAs(place, HK_FORMAT, files)
      expect(rejectLines(report.rejects)).toEqual([
        'results-2019.csv:2 race-repeated',
        'dividends-2019.csv:2 race-repeated',
      ])
      expect(report.rejects[0]!.detail).toBe(
        'HKSHT2019031001 has the runners and finish times of HKSHT2019030601',
      )
      const alone = await importAs(place, HK_FORMAT, {
        'results-2020.csv': csv(HK_HEADER, ...hkRace({ date: '2020-01-01' })),
      })
      expect(rejectLines(alone.rejects)).toEqual(['results-2020.csv:2 race-repeated'])
      // A duplicate from before the check existed.
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
        ...hkRow(1, { raceNo: 3, place: '?' })
          .split('?')
          .flatMap((text, index) => [Buffer.from(index === 0 ? [] : [0xff]), Buffer.from(text)]),
      ]),
      '7 unreadable-characters',
    ],
  ])('%s', (_, content, expected) =>
    withDatabase(async (place) => {
      const report = await importAs(place, HK_FORMAT, { 'results-2019.csv': content })
      expect(rejectLines(report.rejects)).toEqual([`results-2019.csv:${expected}`])
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
      expect(rejectLines(report.rejects)).toEqual(['runners.csv:3 contradictory-status'])
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
      expect(rejectLines(report.rejects)).toEqual([
        'runners.csv:3 contradictory-status',
        'runners.csv:3 race-incomplete',
      ])
    }))
})
