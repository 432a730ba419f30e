import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileColumns, typedSql } from '../../analytics/file-columns.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { RUNNERS } from '../../analytics/runners.ts'
import { checkRows, planAllRows } from '../../analytics/rows.ts'
import { createTable } from '../../analytics/table.ts'
import { FILE_TABLES } from '../../analytics/tables.ts'
import { shortestSingle } from '../../domain/shortest-single.ts'
import { exportColumns } from '../../src/workspace/files/export-columns.ts'
import { ParquetRows } from '../../src/workspace/files/parquet-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'furlong-files-'))
let duckdb: DuckDBConnection

beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => {
  duckdb.closeSync()
  rmSync(folder, { recursive: true, force: true })
})

const rowsOf = async (sql: string): Promise<unknown[][]> => (await duckdb.runAndReadAll(sql)).getRowsJS()

const COLUMNS = [
  'race_id',
  'day',
  'season',
  'race_no',
  'racecourse',
  'rank',
  'probability',
  'odds',
  'win_odds',
  'market_probability',
  'price',
  'profit_cents',
  'selected',
  'outcome',
  'going',
  'odds_move',
]
const FILE = fileColumns('predictions', PREDICTIONS, COLUMNS)

/** As the engine answers it: every number a DOUBLE. */
const ROW = {
  race_id: 'HKSHT2026112105',
  day: '2026-11-21',
  season: 2026,
  race_no: 5,
  racecourse: 2,
  racecourse_en: 'Sha Tin',
  racecourse_hant: '沙田',
  racecourse_hans: null,
  rank: 1,
  probability: Math.fround(0.123_456_78),
  odds: Math.fround(3.4),
  win_odds: Math.fround(3.4),
  market_probability: Math.fround(0.2),
  price: 3.4,
  profit_cents: -1000,
  selected: true,
  outcome: 'miss',
  going: null,
  odds_move: -0.25,
}

const TYPES = {
  race_id: 'VARCHAR',
  day: 'DATE',
  season: 'INTEGER',
  race_no: 'INTEGER',
  racecourse: 'INTEGER',
  racecourse_en: 'VARCHAR',
  racecourse_hant: 'VARCHAR',
  racecourse_hans: 'VARCHAR',
  rank: 'INTEGER',
  probability: 'DOUBLE',
  odds: 'DOUBLE',
  win_odds: 'DOUBLE',
  market_probability: 'DOUBLE',
  price: 'DOUBLE',
  profit_cents: 'BIGINT',
  selected: 'BOOLEAN',
  outcome: 'VARCHAR',
  going: 'VARCHAR',
  odds_move: 'DOUBLE',
}

const FOUND = `SELECT count(*)::INTEGER FROM %s WHERE odds = 3.4 AND win_odds = 3.4 AND market_probability = 0.2 AND price = 3.4
  AND day = DATE '2026-11-21' AND season = 2026 AND profit_cents = -1000 AND probability = 0.12345678 AND going IS NULL`

test('the Parquet file of the record has types and published odds', async () => {
  const rows = new ParquetRows(FILE)
  rows.add([ROW])
  const path = join(folder, 'record.parquet')
  writeFileSync(path, new Uint8Array(await rows.file().arrayBuffer()))
  expect(
    Object.fromEntries(await rowsOf(`SELECT column_name, column_type FROM (DESCRIBE FROM '${path}')`)),
  ).toEqual(TYPES)
  expect(await rowsOf(FOUND.replace('%s', `'${path}'`))).toEqual([[1]])
})

test('so has the table of the DuckDB file', async () => {
  const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))
  const answer = `SELECT ${Object.entries(ROW)
    .map(([name, value]) => `${literal(value)}${typeof value === 'number' ? '::DOUBLE' : ''} AS ${name}`)
    .join(', ')}`
  await duckdb.run(`CREATE TABLE record AS ${typedSql(answer, FILE)}`)
  expect(Object.fromEntries(await rowsOf('SELECT column_name, column_type FROM (DESCRIBE record)'))).toEqual(
    TYPES,
  )
  expect(await rowsOf(FOUND.replace('%s', 'record'))).toEqual([[1]])
})

test.each(['predictions', 'runners'] as const)('the server answers all columns of a file of %s', (model) => {
  const columns = exportColumns(model, 'en')
  expect(checkRows({ model, columns, limit: 1 }).columns).toEqual(columns)
})

test('every column of a file has a type, and whole numbers are none of DOUBLE', () => {
  const types = new Map(
    fileColumns('predictions', PREDICTIONS, exportColumns('predictions', 'en')).map(({ name, type }) => [
      name,
      type,
    ]),
  )
  for (const name of ['weekday', 'calendar_month', 'bet_type', 'distance', 'field_size', 'favourite_rank'])
    expect(types.get(name), name).toBe('INTEGER')
  expect(types.size).toBeGreaterThanOrEqual(exportColumns('predictions', 'en').length)
})

test('a number of single precision is written with the fewest digits', () => {
  expect([3.4, 0.1, 1.05, 99, 16777216, 0, -2.5].map((value) => shortestSingle(Math.fround(value)))).toEqual([
    3.4, 0.1, 1.05, 99, 16777216, 0, -2.5,
  ])
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (drawn) => {
      // Without −0, which is 0.
      const value = drawn === 0 ? 0 : drawn
      expect(Math.fround(shortestSingle(value))).toBe(value)
    }),
  )
})

test('a file has the runner of a prediction of one horse, and a name for everybody', async () => {
  for (const table of new Set(Object.values(FILE_TABLES).flat())) await duckdb.run(createTable(table))
  const OF_RACE = `race_key: 1, race_date: DATE '2026-11-21', race_no: 5, stadium_key: 2, model: 'market-baseline', origin: 'backtest'`
  const insert = (table: string, row: string) =>
    duckdb.run(`INSERT INTO ${table} BY NAME SELECT unnest({${row}})`)
  await insert(
    'race',
    `race_key: 1, race_id: 'HKSHT2026112105', race_date: DATE '2026-11-21', name_hant: '立秋讓賽'`,
  )
  await insert('stadium', `stadium_key: 2, name_en: 'Sha Tin'`)
  await insert('horse', `horse_key: 7, horse_id: 'HK-G7', name_hant: '浪漫勇士'`)
  await insert(
    'horse',
    `horse_key: 8, horse_id: 'HK-G8', brand: 'G8', name_en: 'Golden Sixty', name_hant: '金槍六十'`,
  )
  await insert('jockey', `jockey_key: 3, name_hant: '潘頓'`)
  await insert('trainer', `trainer_key: 4, name_en: 'J Size'`)
  const RUNNER = `jockey_key: 3, trainer_key: 4, draw: 9, rating: 120, weight_lb: 126, gear: 'B/TT', first_time_gear: true, days_since_run: 21`
  await insert('starter', `${OF_RACE}, horse_no: 1, horse_key: 7, place: 1, ${RUNNER}`)
  await insert('starter', `${OF_RACE}, horse_no: 2, horse_key: 8, place: 2, ${RUNNER}`)
  await insert('prediction', `${OF_RACE}, bet_type: 1, rank: 1, horse_no_1: 1, outcome: 'hit'`)
  await insert('prediction', `${OF_RACE}, bet_type: 3, rank: 1, horse_no_1: 1, horse_no_2: 2, outcome: 'hit'`)

  const columns = exportColumns('predictions', 'en')
  const request = {
    model: 'predictions',
    columns,
    where: null,
    sort: [{ by: 'bet_type', descending: false }],
  } as const
  const { sql } = planAllRows(
    'predictions',
    PREDICTIONS,
    { ...request, sort: [...request.sort] },
    { scope: 'all' },
  )
  await duckdb.run(
    `CREATE TABLE exported AS ${typedSql(sql, fileColumns('predictions', PREDICTIONS, columns))}`,
  )
  expect(
    await rowsOf(
      'SELECT horses_en, race_name_en, jockey_en, trainer_en, draw, rating, weight_carried, gear, first_time_gear, days_since_run, horse_id, brand FROM exported',
    ),
  ).toEqual([
    ['浪漫勇士', '立秋讓賽', '潘頓', 'J Size', 9, 120, 126, 'B/TT', true, 21, 'HK-G7', null],
    ['浪漫勇士 · Golden Sixty', '立秋讓賽', null, null, null, null, null, null, null, null, null, null],
  ])
  // Of a runner its own.
  const runners = {
    model: 'runners',
    columns: ['horse_no', 'horse_id', 'brand'],
    where: null,
    sort: [],
  } as const
  const plan = planAllRows(
    'runners',
    RUNNERS,
    { ...runners, columns: [...runners.columns], sort: [{ by: 'horse_no', descending: false }] },
    { scope: 'all' },
  )
  expect(await rowsOf(plan.sql)).toEqual([
    [1, 'HK-G7', null],
    [2, 'HK-G8', 'G8'],
  ])
  // A page of the server's answer has all of them.
  expect(() => checkRows({ model: 'predictions', columns, limit: 5000 })).not.toThrow()
})
