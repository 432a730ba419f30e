// @module-tag rest
import { describe, expect, test } from 'vitest'
import { FURLONG_FORMAT } from '../../server/ingest/furlong/furlong-format.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles, type ImportRequest } from '../../server/ingest/import.ts'
import { reportLines } from '../../server/drafts/report.ts'
import { furlong } from '../support/command.ts'
import type { TestDatabase } from '../support/databases.ts'
import { dividendsCsv, furlongRace, furlongRow, oddsCsv, runnersCsv } from '../support/furlong-files.ts'
import {
  csv,
  DIVIDEND_HEADER,
  HK_HEADER,
  hkRace,
  importAs,
  rejectLines,
  withDatabase,
  writeFiles,
} from '../support/import-files.ts'

const RACE = 'HKSHT2026030801'

const importWith = (
  place: TestDatabase,
  files: Record<string, string>,
  options: Partial<ImportRequest> = {},
) =>
  importFiles(place.database, {
    format: FURLONG_FORMAT,
    paths: [writeFiles(files)],
    replaceDemonstration: false,
    ...options,
  })

const stored = async ({ database }: TestDatabase): Promise<string> => {
  const [race] = await database.rows<{ status: string; runners: number; lines: number }>(
    `select status, (select count(*) from runner where race_id = race.id) as runners,
       (select count(*) from dividend where race_id = race.id) as lines from race where id = $1`,
    [RACE],
  )
  return `${race!.status} ${race!.runners} ${race!.lines}`
}

const DIVIDENDS = ['1,1,paid,25.00', '2,1,paid,15.00', '2,2,paid,18.00']
const WHOLE = { 'runners.csv': runnersCsv(...furlongRace()), 'dividends.csv': dividendsCsv(...DIVIDENDS) }

describe('a file that is cut at the end of a line takes nothing from a race', () => {
  test.each([
    [
      'two runners of five',
      { 'runners.csv': runnersCsv(...furlongRace().slice(0, 2)) },
      'runners.csv:2 runners-lost',
    ],
    [
      'all but the last runner',
      { 'runners.csv': runnersCsv(...furlongRace().slice(0, 4)) },
      'runners.csv:2 runners-lost',
    ],
    [
      'one of two place dividends',
      { 'dividends.csv': dividendsCsv(...DIVIDENDS.slice(0, 2)) },
      'dividends.csv:3 dividends-lost',
    ],
    [
      'no result',
      {
        'runners.csv': runnersCsv(
          ...furlongRace({ race_status: 'scheduled', status: 'declared', place: '', finish_time: '' }),
        ),
      },
      'runners.csv:2 result-lost',
    ],
  ])('%s: refused and listed; with --allow-removals written and listed', (_, cut, line) =>
    withDatabase(async (place) => {
      await importWith(place, WHOLE)
      const before = await place.database.rows('select * from runner order by horse_no')
      const refused = await importWith(place, cut)
      expect(rejectLines(refused.rejects)).toContain(line)
      expect(refused.rejects[0]!.detail).toMatch(/HKSHT2026030801.*(without|final)/)
      expect(reportLines(refused).join('\n')).toContain('--allow-removals')
      expect(await place.database.rows('select * from runner order by horse_no')).toEqual(before)
      expect(await stored(place)).toBe('final 5 3')
      const allowed = await importWith(place, cut, { allowRemovals: true })
      expect(rejectLines(allowed.removed)).toContain(line)
      expect(await stored(place)).not.toBe('final 5 3')
    }),
  )

  test('a scheduled race keeps its runners too, and a Hong Kong file is no exception', () =>
    withDatabase(async (place) => {
      const card = furlongRace({ race_status: 'scheduled', status: 'declared', place: '', finish_time: '' })
      await importWith(place, { 'runners.csv': runnersCsv(...card) })
      const cut = await importWith(place, { 'runners.csv': runnersCsv(...card.slice(0, 3)) })
      expect(rejectLines(cut.rejects)).toEqual(['runners.csv:2 runners-lost'])
      await importAs(place, HK_FORMAT, { 'results-2019.csv': csv(HK_HEADER, ...hkRace()) })
      const hk = await importAs(place, HK_FORMAT, {
        'results-2019.csv': csv(HK_HEADER, ...hkRace().slice(0, 4)),
      })
      expect(rejectLines(hk.rejects)).toEqual(['results-2019.csv:2 runners-lost'])
    }))

  test('a horse keeps the number that its dividends and odds are stored under', () =>
    withDatabase(async (place) => {
      await importWith(place, { ...WHOLE, 'odds.csv': oddsCsv('2026-03-08T04:00Z') })
      const all = () =>
        Promise.all(
          ['runner', 'dividend', 'odds_tick'].map((table) =>
            place.database.rows(`select * from ${table} t order by t::text`),
          ),
        )
      const before = await all()
      const swapped = {
        'runners.csv': runnersCsv(
          furlongRow(1, { horse_no: '2' }),
          furlongRow(2, { horse_no: '1' }),
          ...furlongRace().slice(2),
        ),
      }
      const refused = await importWith(place, swapped)
      expect(rejectLines(refused.rejects)).toEqual(['runners.csv:2 numbers-changed'])
      expect(refused.rejects[0]!.detail).toBe(`${RACE}: P101 1, now 2; P102 2, now 1`)
      expect(reportLines(refused).join('\n')).toContain('--allow-removals')
      expect(await all()).toEqual(before)
      const allowed = await importWith(place, swapped, { allowRemovals: true })
      expect(rejectLines(allowed.removed)).toEqual(['runners.csv:2 numbers-changed'])
      const [runners, lines, ticks] = await all()
      expect([runners!.length, lines, ticks]).toEqual([5, [], []])
      // Nothing is stored under the numbers any more, and they may change.
      expect((await importWith(place, { 'runners.csv': WHOLE['runners.csv'] })).rejects).toEqual([])
    }))

  test('the command says what it refused, and ends with status 1', () =>
    withDatabase(async (place) => {
      await importWith(place, WHOLE)
      const folder = writeFiles({ 'runners.csv': runnersCsv(...furlongRace().slice(0, 2)) })
      const run = (...options: string[]) =>
        furlong(
          { FURLONG_DATA: place.dataFolder, DATABASE_URL: place.databaseUrl! },
          'import',
          '--format',
          'furlong',
          '--no-train',
          ...options,
          folder,
        )
      const refused = await run()
      expect(refused.code).toBe(1)
      expect(refused.out).toContain(
        `runners.csv:2  ${RACE}: 2 runners, 5 stored; without 3 P103, 4 P104, 5 P105`,
      )
      expect(refused.out).toContain('If that is meant: --allow-removals')
      const allowed = await run('--allow-removals')
      expect([allowed.code, allowed.out]).toEqual([0, expect.stringContaining('removed: 1 × runners-lost')])
      expect(await stored(place)).toBe('final 2 3')
    }))

  test('dividends of a race that is refused are refused for the same reason', () =>
    withDatabase(async (place) => {
      await importWith(place, WHOLE)
      const report = await importWith(place, {
        'runners.csv': runnersCsv(...furlongRace().slice(0, 2)),
        'dividends.csv': dividendsCsv('1,1,paid,99.00'),
      })
      expect(rejectLines(report.rejects)).toEqual([
        'runners.csv:2 runners-lost',
        'dividends.csv:2 runners-lost',
      ])
      expect(
        await place.database.rows(`select dividend_cents as cents from dividend where pool = 'win'`),
      ).toEqual([{ cents: 2500 }])
    }))

  test('a corrected line is listed as replaced; a refund of the pool replaces what it paid', () =>
    withDatabase(async (place) => {
      await importWith(place, WHOLE)
      const refunded = await importWith(place, { 'dividends.csv': dividendsCsv('2,,refund,') })
      expect([rejectLines(refunded.rejects), rejectLines(refunded.removed)]).toEqual([
        [],
        ['dividends.csv:2 dividend-replaced'],
      ])
      expect(await stored(place)).toBe('final 5 2')
    }))

  test('the same files again change nothing', () =>
    withDatabase(async (place) => {
      await importWith(place, WHOLE)
      const again = await importWith(place, WHOLE)
      expect([again.rejects, again.removed, again.noted]).toEqual([[], [], []])
      expect(again.tables['runner']).toEqual({ inserted: 0, updated: 0, unchanged: 5 })
    }))
})

describe('results that cannot be true are refused with the reason', () => {
  const placed = (...places: (number | null)[]): string[] =>
    places.map((place, index) =>
      furlongRow(index + 1, place === null ? { place: '', status: 'unfinished' } : { place: String(place) }),
    )
  test.each([
    ['no winner', placed(2, 3, 4, 5, null), 'no-winner'],
    ['all pulled up', placed(null, null, null, null), 'no-winner'],
    ['places beyond the field', placed(1, 2, 9, 99), 'place-beyond-field'],
    ['1, 7, 3, 4', placed(1, 7, 3, 4), 'place-beyond-field'],
    ['1, 1, 2, 3', placed(1, 1, 2, 3), 'places-overlap'],
    ['1, 2, 2, 3', placed(1, 2, 2, 3), 'places-overlap'],
    ['everybody first', placed(1, 1, 1, 1), 'too-many-first'],
    ['nobody third', placed(1, 2, 4, 5, null), 'place-missing'],
  ])('%s', (_, rows, kind) =>
    withDatabase(async (place) => {
      const report = await importWith(place, { 'runners.csv': runnersCsv(...rows) })
      expect(rejectLines(report.rejects)).toEqual([`runners.csv:2 ${kind}`])
      expect(report.rejects[0]!.detail).toContain(RACE)
      expect(await place.database.rows('select 1 from race')).toEqual([])
    }),
  )

  test('a race of tomorrow has no result and no dividends', () =>
    withDatabase(async (place) => {
      const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
      const later = { date: day, starts_at_utc: `${day}T05:00:00Z` }
      const report = await importWith(place, { 'runners.csv': runnersCsv(...furlongRace(later)) })
      expect(rejectLines(report.rejects)).toEqual(['runners.csv:2 before-the-start'])
      const card = furlongRace({
        ...later,
        race_status: 'scheduled',
        status: 'declared',
        place: '',
        finish_time: '',
      })
      const dividends = await importWith(place, {
        'runners.csv': runnersCsv(...card),
        'dividends.csv': dividendsCsv('1,1,paid,20.00').replaceAll('2026-03-08', day),
      })
      expect(rejectLines(dividends.rejects)).toEqual(['dividends.csv:2 before-the-start'])
    }))

  test('what can be true once in a hundred years is taken if the operator confirms it', () =>
    withDatabase(async (place) => {
      const files = { 'runners.csv': runnersCsv(...placed(1, 1, 1, 1)) }
      expect(reportLines(await importWith(place, files)).join('\n')).toContain('--confirm')
      expect((await importWith(place, files, { confirmed: [RACE] })).rejects).toEqual([])
      expect(await stored(place)).toBe('final 4 0')
      // What cannot be true is not taken either way.
      const wrong = { 'runners.csv': runnersCsv(...placed(1, 1, 2, 3)) }
      expect(rejectLines((await importWith(place, wrong, { confirmed: [RACE] })).rejects)).toEqual([
        'runners.csv:2 places-overlap',
      ])
    }))

  test('a dividend that contradicts the places is refused, or noted where results are amended after the pay', () =>
    withDatabase(async (place) => {
      const files = {
        'runners.csv': runnersCsv(...furlongRace()),
        'dividends.csv': dividendsCsv('1,3,paid,999.99', '3,1-2,paid,30.00', '5,2-1,paid,30.00'),
      }
      const report = await importWith(place, files)
      expect(rejectLines(report.rejects)).toEqual([
        'dividends.csv:2 dividend-contradicts-places',
        'dividends.csv:4 dividend-contradicts-places',
      ])
      expect(await stored(place)).toBe('final 5 1')
      const confirmed = await importWith(place, files, { confirmed: [RACE] })
      expect(confirmed.rejects).toEqual([])
      const hk = await importAs(place, HK_FORMAT, {
        'results-2019.csv': csv(HK_HEADER, ...hkRace()),
        'dividends-2019.csv': csv(DIVIDEND_HEADER, '2019-03-06,沙田,1,獨贏,2,30.00'),
      })
      expect([rejectLines(hk.rejects), rejectLines(hk.noted)]).toEqual([
        [],
        ['dividends-2019.csv:2 dividend-contradicts-places'],
      ])
    }))

  test('odds of a horse that is not in the race are refused', () =>
    withDatabase(async (place) => {
      const odds = oddsCsv('2026-03-08T04:00Z', '2026-03-08T04:01Z').replace(
        ',1,2026-03-08T04:01Z',
        ',9,2026-03-08T04:01Z',
      )
      const report = await importWith(place, {
        'runners.csv': runnersCsv(...furlongRace()),
        'odds.csv': odds,
      })
      expect(rejectLines(report.rejects)).toEqual(['odds.csv:3 no-such-runner'])
      expect(report.tables['odds_tick']).toMatchObject({ inserted: 1 })
    }))

  test('an older result after the race was called off is refused', () =>
    withDatabase(async (place) => {
      const card = { status: 'declared', place: '', finish_time: '' }
      await importWith(place, WHOLE)
      const called = await importWith(
        place,
        {
          'runners.csv': runnersCsv(...furlongRace({ ...card, race_status: 'abandoned' })),
          'dividends.csv': dividendsCsv('1,,refund,', '2,,refund,'),
        },
        { allowRemovals: true },
      )
      expect(rejectLines(called.removed)[0]).toBe('runners.csv:2 result-lost')
      expect(await stored(place)).toBe('abandoned 5 2')
      const replays: Record<string, string>[] = [
        WHOLE,
        { 'dividends.csv': WHOLE['dividends.csv'] },
        { 'runners.csv': runnersCsv(...furlongRace({ ...card, race_status: 'scheduled' })) },
      ]
      for (const files of replays) {
        const replayed = await importWith(place, files, { allowRemovals: true })
        expect(new Set(replayed.rejects.map(({ kind }) => kind))).toEqual(new Set(['race-was-abandoned']))
        expect(await stored(place)).toBe('abandoned 5 2')
      }
    }))
})
