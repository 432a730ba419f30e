import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileColumns, typedSql } from '../../analytics/file-columns.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { shortestSingle } from '../../domain/shortest-single.ts'
import { exportColumns } from '../../src/workspace/list/export-menu.tsx'
import { ParquetRows } from '../../src/workspace/list/parquet.ts'

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

test('every column of a file has a type, and whole numbers are none of DOUBLE', () => {
  const types = new Map(
    fileColumns('predictions', PREDICTIONS, exportColumns('en')).map(({ name, type }) => [name, type]),
  )
  for (const name of ['weekday', 'calendar_month', 'bet_type', 'distance', 'field_size', 'favourite_rank'])
    expect(types.get(name), name).toBe('INTEGER')
  expect(types.size).toBeGreaterThanOrEqual(exportColumns('en').length)
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
