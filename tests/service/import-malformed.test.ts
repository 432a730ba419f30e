// @module-tag rest
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FURLONG_FORMAT } from '../../server/ingest/furlong/furlong-format.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import type { ImportFormat } from '../../server/ingest/reading/format.ts'
import { FurlongError } from '../../domain/errors.ts'
import { newDatabase, type TestDatabase } from '../support/databases.ts'
import {
  dividendsCsv,
  furlongRace,
  furlongRow,
  oddsCsv,
  runnersCsv,
  type RunnerCells,
} from '../support/furlong-files.ts'
import {
  csv,
  DIVIDEND_HEADER,
  HK_HEADER,
  hkRace,
  hkRow,
  storedRows,
  writeFiles,
} from '../support/import-files.ts'

type Files = Record<string, string | Buffer>

/** A sound race, which is in every import, so that there is a good row. */
const SOUND = furlongRace({ race_no: '9' })

/** The sound race in lines 2 to 6, and behind it five horses of which the third, in line 9, has these cells. */
const third = (cells: RunnerCells): Files => ({
  'runners.csv': runnersCsv(
    ...SOUND,
    ...furlongRace().map((row, index) => (index === 2 ? furlongRow(3, cells) : row)),
  ),
})
/** The same with all five horses of the race changed. */
const all = (cells: RunnerCells): Files => ({ 'runners.csv': runnersCsv(...SOUND, ...furlongRace(cells)) })
const places = (...own: string[]): Files => ({
  'runners.csv': runnersCsv(
    ...SOUND,
    ...own.map((place, index) =>
      furlongRow(index + 1, place === '' ? { place, status: 'unfinished' } : { place }),
    ),
  ),
})
const beside = (files: Files): Files => ({ 'runners.csv': runnersCsv(...furlongRace()), ...files })
const line = (text: string): Files => beside({ 'dividends.csv': dividendsCsv('1,1,paid,25.00', text) })
const raw = (rows: string): Files => ({ 'runners.csv': runnersCsv(...SOUND) + rows })
const tick = (text: string): Files => beside({ 'odds.csv': `${oddsCsv('2026-03-08T04:00Z')}${text}\n` })
const section = (...rows: string[]): Files =>
  beside({
    'sections.csv': csv(
      'stadium,date,race_no,horse_no,section,position,margin,time',
      'HKSHT,2026-03-08,1,2,1,1,,24.00',
      ...rows.map((row) => `HKSHT,2026-03-08,1,${row}`),
    ),
  })

/** What is wrong; files; what is told, with file, line and kind; what the reason says: the column and its cell. */
type Kind = [what: string, files: Files, told: string, reason: string]

/** Rows that are rejected, each in a row whose cell is told. */
const REJECTED: readonly Kind[] = [
  ['a cell too few', raw('HKSHT,2026-03-08,1\n'), 'runners.csv:7 wrong-number-of-cells', '3 for 19'],
  ['a cell too many', raw(`${furlongRow(1)},more\n`), 'runners.csv:7 wrong-number-of-cells', '20 for 19'],
  ['no course', third({ stadium: '' }), 'runners.csv:9 missing-field', 'stadium'],
  ['a course in words', third({ stadium: 'Sha Tin' }), 'runners.csv:9 unknown-venue', 'stadium: Sha Tin'],
  ['a course of no region', third({ stadium: 'ZZSHT' }), 'runners.csv:9 unknown-venue', 'ZZSHT'],
  ['no day', third({ date: '' }), 'runners.csv:9 missing-field', 'date'],
  ['a day with slashes', third({ date: '08/03/2026' }), 'runners.csv:9 bad-date', 'date: 08/03/2026'],
  ['a day of no calendar', third({ date: '2026-02-30' }), 'runners.csv:9 bad-date', '2026-2-30'],
  ['a month of no calendar', third({ date: '2026-13-01' }), 'runners.csv:9 bad-date', '2026-13-1'],
  ['a day of another age', third({ date: '1066-10-14' }), 'runners.csv:9 date-out-of-range', '1066-10-14'],
  ['no number of a race', third({ race_no: '' }), 'runners.csv:9 bad-race-number', 'null'],
  ['race 0', third({ race_no: '0' }), 'runners.csv:9 bad-race-number', '0'],
  ['race 100', third({ race_no: '100' }), 'runners.csv:9 bad-race-number', '100'],
  ['race 1.5', third({ race_no: '1.5' }), 'runners.csv:9 not-whole', 'race_no: 1.5'],
  ['a race in words', third({ race_no: 'one' }), 'runners.csv:9 not-a-number', 'race_no: one'],
  ['a status of no list', third({ status: 'ran' }), 'runners.csv:9 unknown-word', 'status: ran'],
  ['no status', third({ status: '' }), 'runners.csv:9 missing-field', 'status'],
  [
    'a race status of no list',
    third({ race_status: 'over' }),
    'runners.csv:9 unknown-word',
    'race_status: over',
  ],
  [
    'a place of a runner that did not finish',
    third({ status: 'unfinished' }),
    'runners.csv:9 contradictory-status',
    'unfinished, place 3',
  ],
  ['a finisher without a place', third({ place: '' }), 'runners.csv:9 missing-field', 'place'],
  ['place 0', third({ place: '0' }), 'runners.csv:9 out-of-range', 'place: 0'],
  ['place 2.5', third({ place: '2.5' }), 'runners.csv:9 not-whole', 'place: 2.5'],
  ['place 1A', third({ place: '1A' }), 'runners.csv:9 not-a-number', 'place: 1A'],
  ['a place of words', third({ place: 'third' }), 'runners.csv:9 not-a-number', 'place: third'],
  [
    'a starter that has no result',
    third({ status: 'declared', place: '' }),
    'runners.csv:9 no-result',
    'P103',
  ],
  ['no saddle number', third({ horse_no: '' }), 'runners.csv:9 no-saddle-number', 'P103'],
  ['saddle number 0', third({ horse_no: '0' }), 'runners.csv:9 out-of-range', 'horse_no: 0'],
  ['saddle number 1A', third({ horse_no: '1A' }), 'runners.csv:9 not-a-number', 'horse_no: 1A'],
  ['a decimal comma', third({ horse_no: '3,0' }), 'runners.csv:9 other-decimal-sign', 'horse_no: 3,0'],
  ['no brand', third({ brand: '' }), 'runners.csv:9 missing-field', 'brand'],
  [
    'a brand too long',
    third({ brand: 'P'.repeat(201) }),
    'runners.csv:9 text-too-long',
    'brand: 201 characters',
  ],
  ['an invisible character', third({ brand: 'P\u200B103' }), 'runners.csv:9 invisible-characters', 'brand'],
  [
    'a turned direction of writing',
    third({ brand: '\u202EP103' }),
    'runners.csv:9 invisible-characters',
    'brand',
  ],
  ['NUL', third({ brand: 'P\u0000103' }), 'runners.csv:9 unreadable-characters', 'brand'],
  [
    'bytes of no UTF-8',
    { 'runners.csv': Buffer.from(third({ brand: 'P\u00C9' })['runners.csv'] as string, 'latin1') },
    'runners.csv:9 unreadable-characters',
    'brand',
  ],
  ['an error of a spreadsheet', third({ brand: '#REF!' }), 'runners.csv:9 spreadsheet-error', 'brand: #REF!'],
  ['one horse twice', third({ brand: 'P102' }), 'runners.csv:9 horse-twice-in-race', 'P102'],
  ['one saddle number twice', third({ horse_no: '2' }), 'runners.csv:9 saddle-number-twice-in-race', '2'],
]

/** Races that are left out whole. */
const RACES: readonly Kind[] = [
  ['no winner', places('2', '3', '4', '5', ''), 'runners.csv:7 no-winner', 'HKSHT2026030801'],
  ['a place beyond the field', places('1', '2', '3', '9'), 'runners.csv:7 place-beyond-field', 'place 9'],
  ['places that overlap', places('1', '1', '2', '3'), 'runners.csv:7 places-overlap', 'HKSHT2026030801'],
  ['everybody first', places('1', '1', '1', '1'), 'runners.csv:7 too-many-first', 'HKSHT2026030801'],
  ['nobody third', places('1', '2', '4', '5', ''), 'runners.csv:7 place-missing', 'HKSHT2026030801'],
  [
    'a result of tomorrow',
    all({ date: '2090-03-08', starts_at_utc: '2090-03-08T05:00Z' }),
    'runners.csv:7 before-the-start',
    'HKSHT2090030801',
  ],
]

/** Lines of dividends, odds and sections. */
const LINES: readonly Kind[] = [
  ['no pool of ours', line('11,1,paid,20.00'), 'dividends.csv:3 unknown-word', 'gameplay_class: 11'],
  ['a pool in words', line('win,1,paid,20.00'), 'dividends.csv:3 not-a-number', 'gameplay_class: win'],
  [
    'too few horses',
    line('3,1,paid,20.00'),
    'dividends.csv:3 bad-combination',
    '1: 2 different saddle numbers',
  ],
  ['a horse twice', line('3,1-1,paid,20.00'), 'dividends.csv:3 bad-combination', '1-1'],
  ['a horse of letters', line('2,1A,paid,20.00'), 'dividends.csv:3 bad-combination', '1A'],
  ['no combination', line('2,,paid,20.00'), 'dividends.csv:3 missing-field', 'combination'],
  ['no amount', line('2,2,paid,'), 'dividends.csv:3 missing-field', 'dividend'],
  ['an amount below 0', line('2,2,paid,-20.00'), 'dividends.csv:3 bad-dividend', 'dividend: -20.00'],
  ['an amount of 0', line('2,2,paid,0.00'), 'dividends.csv:3 bad-dividend', 'dividend: 0.00'],
  [
    'thousands that are divided wrongly',
    line('2,2,paid,"12,34.00"'),
    'dividends.csv:3 bad-dividend',
    '12,34.00',
  ],
  [
    'a refund with an amount',
    line('2,2,refund,20.00'),
    'dividends.csv:3 contradictory-status',
    'refund, dividend 20.00',
  ],
  ['a double of the first race', line('10,1/1,paid,20.00'), 'dividends.csv:3 bad-combination', 'first race'],
  ['a horse that is not in the race', line('2,9,paid,20.00'), 'dividends.csv:3 no-such-runner', 'horse 9'],
  [
    'a payment that contradicts the places',
    line('1,2,paid,20.00'),
    'dividends.csv:3 dividend-contradicts-places',
    'win 2',
  ],
  ['two amounts of one line', line('1,1,paid,26.00'), 'dividends.csv:3 two-dividends-for-one-line', 'win 1'],
  [
    'a race that is not there',
    beside({ 'dividends.csv': `${dividendsCsv('1,1,paid,25.00')}HKSHT,2026-03-08,2,1,1,paid,20.00\n` }),
    'dividends.csv:3 no-such-race',
    'HKSHT2026030802',
  ],
  ['odds without a time', tick('HKSHT,2026-03-08,1,1,,2.5'), 'odds.csv:3 missing-field', 'seen_at_utc'],
  [
    'a time without a zone',
    tick('HKSHT,2026-03-08,1,1,2026-03-08T04:01,2.5'),
    'odds.csv:3 no-zone',
    'seen_at_utc: 2026-03-08T04:01',
  ],
  [
    'a time of no clock',
    tick('HKSHT,2026-03-08,1,1,2026-03-08T25:01Z,2.5'),
    'odds.csv:3 no-such-day',
    '2026-03-08T25:01Z',
  ],
  [
    'a time in words',
    tick('HKSHT,2026-03-08,1,1,noon,2.5'),
    'odds.csv:3 not-an-instant',
    'seen_at_utc: noon',
  ],
  [
    'odds below 1',
    tick('HKSHT,2026-03-08,1,1,2026-03-08T04:01Z,0.5'),
    'odds.csv:3 odds-out-of-range',
    'win_odds: 0.5',
  ],
  [
    'American odds',
    tick('HKSHT,2026-03-08,1,1,2026-03-08T04:01Z,+250'),
    'odds.csv:3 not-a-number',
    'win_odds: +250',
  ],
  [
    'odds of no horse',
    tick('HKSHT,2026-03-08,1,8,2026-03-08T04:01Z,2.5'),
    'odds.csv:3 no-such-runner',
    'HKSHT2026030801 8',
  ],
  [
    'two odds of one moment',
    tick('HKSHT,2026-03-08,1,1,2026-03-08T04:00Z,9.5'),
    'odds.csv:3 two-odds-of-one-moment',
    'HKSHT2026030801',
  ],
  ['section 21', section('1,21,1,,24.00'), 'sections.csv:3 out-of-range', 'section: 21'],
  ['no section', section('1,,1,,24.00'), 'sections.csv:3 missing-field', 'section'],
  ['a section twice', section('2,1,1,,25.00'), 'sections.csv:3 section-twice', 'HKSHT2026030801'],
]

/** Cells that are stored as unknown, with their rows kept. */
const UNKNOWN: readonly Kind[] = [
  [
    'a start without a zone',
    third({ starts_at_utc: '2026-03-08T05:00' }),
    'runners.csv:9 no-zone',
    'starts_at_utc: 2026-03-08T05:00',
  ],
  [
    'a start on another day',
    third({ starts_at_utc: '2026-03-09T05:00Z' }),
    'runners.csv:9 start-on-another-day',
    '2026-03-09T05:00Z',
  ],
  ['a track of no list', third({ track: 'grass' }), 'runners.csv:9 unknown-word', 'track: grass'],
  ['a distance of 0', third({ distance_m: '0' }), 'runners.csv:9 out-of-range', 'distance_m: 0'],
  ['a distance in furlongs', third({ distance_m: '6f' }), 'runners.csv:9 not-a-number', 'distance_m: 6f'],
  ['a draw of letters', third({ draw: 'x' }), 'runners.csv:9 not-a-number', 'draw: x'],
  ['odds above any', third({ win_odds: '10001' }), 'runners.csv:9 odds-out-of-range', 'win_odds: 10001'],
  ['odds with a comma', third({ win_odds: '4,5' }), 'runners.csv:9 other-decimal-sign', 'win_odds: 4,5'],
  [
    'a time of no clock',
    third({ finish_time: '1:72.30' }),
    'runners.csv:9 not-a-time',
    'finish_time: 1:72.30',
  ],
  ['a flag of no word', third({ dead_heat: 'perhaps' }), 'runners.csv:9 unknown-word', 'dead_heat: perhaps'],
  [
    'a name too long',
    third({ horse_name_en: 'x'.repeat(201) }),
    'runners.csv:9 text-too-long',
    'horse_name_en: 201',
  ],
]

/** Files that are refused whole, with nothing read. */
const REFUSED: readonly [what: string, files: Files, code: string, details: Record<string, unknown>][] = [
  ['an empty file', { 'runners.csv': '' }, 'file-unreadable', { file: 'runners.csv', reason: 'empty' }],
  [
    'blank lines alone',
    { 'runners.csv': '\n\n' },
    'file-unreadable',
    { file: 'runners.csv', reason: 'empty' },
  ],
  [
    'a quote that is not closed',
    raw(`"${furlongRow(1)}\n`),
    'file-unreadable',
    { file: 'runners.csv', reason: expect.stringMatching(/quote.*line/i) },
  ],
  [
    'a quote inside a cell',
    raw('HK"SHT,2026-03-08\n'),
    'file-unreadable',
    { file: 'runners.csv', reason: expect.stringMatching(/quote.*line/i) },
  ],
  [
    'a column too few',
    { 'runners.csv': runnersCsv(...SOUND).replace(',place,', ',rank,') },
    'not-this-format',
    { file: 'runners.csv', missing: expect.stringContaining('place') },
  ],
  [
    'a file of another layout',
    { 'results.csv': csv(HK_HEADER, ...hkRace()) },
    'other-format',
    { file: 'results.csv', other: 'hk' },
  ],
  [
    'a picture',
    { 'runners.csv': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0]) },
    'not-this-format',
    { file: 'runners.csv' },
  ],
  [
    'an archive',
    { 'runners.csv': Buffer.from('PK\u0003\u0004\0\0\0xl/workbook.xml', 'latin1') },
    'not-this-format',
    { file: 'runners.csv' },
  ],
  [
    'rows of which none is good',
    { 'runners.csv': runnersCsv(furlongRow(1, { stadium: '' })) },
    'no-good-row',
    { file: 'runners.csv', line: 2, reason: expect.stringContaining('stadium') },
  ],
  ['a folder without tables', { 'notes.txt': 'nothing' }, 'no-csv-files', { files: 1, names: 'notes.txt' }],
]

/** Chinese and English files of Hong Kong. */
const hongKong = (
  cells: Parameters<typeof hkRow>[1],
  change: (row: string) => string = (row) => row,
): Files => ({
  'results-2019.csv': csv(HK_HEADER, ...hkRace({ raceNo: 2 }), change(hkRow(1, cells))),
})
const paid = (row: string): Files => ({
  'results-2019.csv': csv(HK_HEADER, ...hkRace()),
  'dividends-2019.csv': csv(DIVIDEND_HEADER, '2019-03-06,沙田,1,獨贏,1,30.00', row),
})
const OF_HONG_KONG: readonly Kind[] = [
  [
    'a course that is not there',
    hongKong({}, (row) => row.replace('沙田', '沙由')),
    'results-2019.csv:7 unknown-venue',
    '沙由',
  ],
  ['a place code of nobody', hongKong({ place: 'XX' }), 'results-2019.csv:7 unknown-place-code', 'XX'],
  ['place 0', hongKong({ place: '0' }), 'results-2019.csv:7 unknown-place-code', '0'],
  [
    'a horse without a brand',
    hongKong({}, (row) => row.replace(' (Z901)', '')),
    'results-2019.csv:7 horse-without-brand',
    '試馬1',
  ],
  [
    'a dividend in other words',
    paid('2019-03-06,沙田,1,位置,1,很多'),
    'dividends-2019.csv:3 bad-dividend',
    '位置: 很多',
  ],
  [
    'a combination of words',
    paid('2019-03-06,沙田,1,連贏,"1,x",30.00'),
    'dividends-2019.csv:3 bad-combination',
    '連贏: 1,x',
  ],
]

describe('malformed files get a line and a reason', () => {
  let place: TestDatabase
  let before: unknown
  beforeAll(async () => {
    place = await newDatabase('postgresql')
    before = await storedRows(place)
  })
  afterAll(async () => {
    // Nothing was written by any of them.
    expect(await storedRows(place)).toEqual(before)
    await place.close()
  })

  const dryRun = (format: ImportFormat, files: Files) =>
    importFiles(place.database, {
      format,
      paths: [writeFiles(files)],
      replaceDemonstration: false,
      dryRun: true,
    })

  async function expectTold(
    format: ImportFormat,
    list: 'rejects' | 'unknown',
    [, files, told, reason]: Kind,
  ) {
    const report = await dryRun(format, files)
    const lines = report[list].map(({ kind, file, line: at, detail }) => ({
      at: `${file}:${at} ${kind}`,
      detail,
    }))
    const first = lines.find(({ at }) => !at.endsWith(' race-incomplete'))
    expect(first).toEqual({
      at: told,
      detail: expect.stringContaining(reason),
    })
  }

  test('there are more than sixty kinds', () => {
    const kinds = [REJECTED, RACES, LINES, UNKNOWN, REFUSED, OF_HONG_KONG].flat()
    expect(new Set(kinds.map(([what]) => what)).size).toBeGreaterThanOrEqual(60)
  })

  test.each(REJECTED)('a row: %s', (...kind) => expectTold(FURLONG_FORMAT, 'rejects', kind))
  test.each(RACES)('a race: %s', (...kind) => expectTold(FURLONG_FORMAT, 'rejects', kind))
  test.each(LINES)('a line: %s', (...kind) => expectTold(FURLONG_FORMAT, 'rejects', kind))
  test.each(UNKNOWN)('a cell: %s', (...kind) => expectTold(FURLONG_FORMAT, 'unknown', kind))
  test.each(OF_HONG_KONG)('Hong Kong: %s', (...kind) => expectTold(HK_FORMAT, 'rejects', kind))

  test.each(REFUSED)('a file: %s', async (_, files, code, details) => {
    const refused: unknown = await dryRun(FURLONG_FORMAT, files).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(FurlongError)
    expect(refused).toMatchObject({ code, details })
  })
})
