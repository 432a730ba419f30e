// @module-tag rest
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConsoleRows } from '../../src/data/analytics/console-rows.ts'
import { asFurlongError } from '../../domain/errors.ts'
import { compareCells } from '../../src/workspace/console/cell-order.ts'
import { isIcuMissing } from '../../src/workspace/console/icu-missing.ts'
import { plotOf } from '../../src/workspace/console/result-plot.ts'
import { csvOf } from '../../src/workspace/console/result-files.ts'
import { parquetOf } from '../../src/workspace/console/result-parquet.ts'
import { ownEngine } from '../../workers/own/own-engine.ts'
import { runSqlInPages } from '../../workers/engine/run-sql.ts'
import { consoleRows } from '../support/console-answer.ts'
import { bareWasm, type BareWasm } from '../support/wasm-engine.ts'

/** Every type that DuckDB can return, as the console shows it and writes it to files. */

const folder = mkdtempSync(join(tmpdir(), 'furlong-console-'))
let engine: BareWasm
let native: DuckDBConnection

beforeAll(async () => {
  engine = await bareWasm()
  native = await (await DuckDBInstance.create(':memory:')).connect()
  await native.run("SET TimeZone = 'UTC'")
})
afterAll(() => {
  native.closeSync()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (sql: string): Promise<ConsoleRows> => consoleRows(engine, sql)

/** Every value of a relation as native DuckDB prints it. */
async function printed(from: string): Promise<(string | null)[][]> {
  const reader = await native.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM ${from}`)
  return reader.getRowsJS() as (string | null)[][]
}

/** An expression, its type, and what DuckDB's shell prints for it. */
const VALUES: readonly [expression: string, type: string, shown: string][] = [
  ["'void'::ENUM ('hit', 'miss', 'void')", "ENUM('hit', 'miss', 'void')", 'void'],
  ['true', 'BOOLEAN', 'true'],
  ['(-128)::TINYINT', 'TINYINT', '-128'],
  ['9223372036854775807::BIGINT', 'BIGINT', '9223372036854775807'],
  ['18446744073709551615::UBIGINT', 'UBIGINT', '18446744073709551615'],
  ['170141183460469231731687303715884105727::HUGEINT', 'HUGEINT', '170141183460469231731687303715884105727'],
  ['(-12345678901234567890)::HUGEINT', 'HUGEINT', '-12345678901234567890'],
  ['3.40::DECIMAL(4,2)', 'DECIMAL(4,2)', '3.40'],
  ['(-0.05)::DECIMAL(3,2)', 'DECIMAL(3,2)', '-0.05'],
  ['1234567890123456789012345.678::DECIMAL(38,3)', 'DECIMAL(38,3)', '1234567890123456789012345.678'],
  ['3.4::FLOAT', 'FLOAT', '3.4'],
  ['0.1::DOUBLE + 0.2::DOUBLE', 'DOUBLE', '0.30000000000000004'],
  ['5::DOUBLE', 'DOUBLE', '5.0'],
  ['1e300::DOUBLE', 'DOUBLE', '1e+300'],
  ["'inf'::DOUBLE", 'DOUBLE', 'inf'],
  ["'-inf'::FLOAT", 'FLOAT', '-inf'],
  ["'nan'::DOUBLE", 'DOUBLE', 'nan'],
  ["'沙田'", 'VARCHAR', '沙田'],
  [String.raw`'\xAAb'::BLOB`, 'BLOB', String.raw`\xAAb`],
  ["'010110'::BIT", 'BIT', '010110'],
  ["'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::UUID", 'UUID', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ["DATE '2026-11-26'", 'DATE', '2026-11-26'],
  ["'infinity'::DATE", 'DATE', 'infinity'],
  ["'-infinity'::DATE", 'DATE', '-infinity'],
  ["DATE '290000-01-01'", 'DATE', '290000-01-01'],
  ["DATE '0044-03-15 (BC)'", 'DATE', '0044-03-15 (BC)'],
  ["TIME '13:05:00'", 'TIME', '13:05:00'],
  ["TIME '23:59:59.999999'", 'TIME', '23:59:59.999999'],
  ["'13:05:00+08'::TIMETZ", 'TIME WITH TIME ZONE', '13:05:00+08'],
  ["TIMESTAMP '2026-11-26 05:30:00.25'", 'TIMESTAMP', '2026-11-26 05:30:00.25'],
  ["'infinity'::TIMESTAMP", 'TIMESTAMP', 'infinity'],
  ["'-infinity'::TIMESTAMP", 'TIMESTAMP', '-infinity'],
  ["'2026-11-26 05:30:00'::TIMESTAMP_S", 'TIMESTAMP_S', '2026-11-26 05:30:00'],
  ["'2026-11-26 05:30:00.123'::TIMESTAMP_MS", 'TIMESTAMP_MS', '2026-11-26 05:30:00.123'],
  ["'2026-11-26 05:30:00.123456789'::TIMESTAMP_NS", 'TIMESTAMP_NS', '2026-11-26 05:30:00.123456789'],
  ["'2026-11-26 05:30:00+00'::TIMESTAMPTZ", 'TIMESTAMP WITH TIME ZONE', '2026-11-26 05:30:00+00'],
  ["INTERVAL '1 day 2 hours'", 'INTERVAL', '1 day 02:00:00'],
  ["INTERVAL '-3 months -4 minutes'", 'INTERVAL', '-3 months -00:04:00'],
  ["[DATE '2024-01-01', NULL]", 'DATE[]', '[2024-01-01, NULL]'],
  ['[1, 2, 3]::INTEGER[3]', 'INTEGER[3]', '[1, 2, 3]'],
  [
    "{'b': DATE '2024-01-01', 'o': 'hit'::ENUM ('hit')}",
    "STRUCT(b DATE, o ENUM('hit'))",
    "{'b': 2024-01-01, 'o': hit}",
  ],
  ["MAP {'a': 1.5, 'b': NULL}", 'MAP(VARCHAR, DECIMAL(2,1))', '{a=1.5, b=NULL}'],
  ["union_value(n := TIME '13:05:00')", 'UNION(n TIME)', '13:05:00'],
  ["['infinity'::DATE]", 'DATE[]', '[infinity]'],
]

test.each(VALUES)('%s is shown as DuckDB’s shell does', async (expression, type, shown) => {
  const { columns, rows } = await ask(`SELECT ${expression} AS value`)
  expect(columns[0]).toMatchObject({ name: 'value', type })
  expect(rows).toEqual([[shown]])
})

test('missing values of every type are missing', async () => {
  const types = [...new Set(VALUES.map(([, type]) => type))]
  const { rows } = await ask(`SELECT ${types.map((type) => `NULL::${type}`).join(', ')}`)
  expect(rows).toEqual([types.map(() => null)])
})

describe('test_all_types, DuckDB’s own table of the extreme values of each type', () => {
  // Native DuckDB, which has ICU, prints the largest instant with a time zone a millisecond late.
  const ALL = '(SELECT * EXCLUDE (timestamp_tz) FROM test_all_types())'

  test('every value is what native DuckDB prints', async () => {
    const { columns, rows } = await ask(`FROM ${ALL}`)
    expect(columns.length).toBeGreaterThan(45)
    expect(rows).toEqual(await printed(ALL))
  })

  test('every value can be sorted, drawn and written as CSV', async () => {
    const { columns, rows, ...rest } = await ask(`FROM ${ALL}`)
    for (const [at, { kind }] of columns.entries()) {
      const cells = rows.map((row) => row[at] ?? null)
      expect(() => cells.toSorted((a, b) => compareCells(kind, a, b))).not.toThrow()
      for (const chart of ['bars', 'line', 'points'] as const)
        for (const y of columns.keys())
          expect(() => plotOf(chart, { x: at, y, down: 0 }, { columns, rows })).not.toThrow()
    }
    expect(csvOf({ columns, rows, ...rest }).split('\r\n').length).toBeGreaterThan(rows.length)
  })

  test('the Parquet file has every value, in its own type where Parquet has one', async () => {
    const result = await ask(`FROM ${ALL}`)
    const path = join(folder, 'all.parquet')
    writeFileSync(path, new Uint8Array(await parquetOf(result).arrayBuffer()))
    expect(await printed(`'${path}'`)).toEqual(result.rows)
  })
})

test('columns of a Parquet file have their types, exactly', async () => {
  const result = await ask(
    `SELECT 9223372036854775807 AS big, 3.40::DECIMAL(4,2) AS price, 3.4::FLOAT AS odds, 0.1::DOUBLE AS share, true AS flag,
       7::TINYINT AS small, DATE '2026-11-26' AS day, TIMESTAMP '2026-11-26 05:30:00.25' AS seen, 'hit'::ENUM ('hit') AS outcome,
       12345678901234567890::HUGEINT AS huge, 'infinity'::DATE AS never, 1 AS big`,
  )
  const path = join(folder, 'types.parquet')
  writeFileSync(path, new Uint8Array(await parquetOf(result).arrayBuffer()))
  const types = await native.runAndReadAll(`SELECT column_name, column_type FROM (DESCRIBE FROM '${path}')`)
  expect(Object.fromEntries(types.getRowsJS())).toEqual({
    big: 'BIGINT',
    price: 'DECIMAL(4,2)',
    odds: 'FLOAT',
    share: 'DOUBLE',
    flag: 'BOOLEAN',
    small: 'INTEGER',
    day: 'DATE',
    seen: 'TIMESTAMP',
    outcome: 'VARCHAR',
    huge: 'DECIMAL(38,0)',
    never: 'VARCHAR',
    big_1: 'INTEGER',
  })
  const found = await native.runAndReadAll(
    `SELECT count(*) FROM '${path}' WHERE odds = 3.4 AND price = 3.4 AND big = 9223372036854775807 AND never = 'infinity'`,
  )
  expect(found.getRowsJS()).toEqual([[1n]])
})

test('columns of the same name keep their own values under names of their own', async () => {
  const { columns, rows } = await ask('SELECT 1 AS n, 2 AS n, 3 AS "n_2"')
  expect(columns.map(({ name }) => name)).toEqual(['n', 'n_1', 'n_2'])
  expect(rows).toEqual([['1', '2', '3']])
})

test('statements of every kind that returns rows are answered', async () => {
  engine.run(
    "CREATE TABLE IF NOT EXISTS t AS SELECT range AS n, 'hit'::ENUM ('hit', 'miss') AS outcome FROM range(3)",
  )
  for (const [sql, count] of [
    ['FROM t', 3],
    ['VALUES (1), (2)', 2],
    ['WITH a AS (FROM t) SELECT * FROM a ORDER BY n DESC', 3],
    ['SUMMARIZE t', 2],
    ['DESCRIBE t', 2],
    ['(SELECT 1) UNION ALL (SELECT 2)', 2],
    ['SELECT 1; -- note', 1],
    ['SELECT 1;;  /* a /* nested */ note; */ ;', 1],
    [";; -- before\nSELECT ';--', $$;/*$$ AS d /* ; */;\n\n-- after\n", 1],
    [String.raw`SELECT e'it\'s; -- no comment' AS text;`, 1],
  ] as const) {
    const { rows } = await ask(sql)
    expect(rows, sql).toHaveLength(count)
  }
  const { rows } = await ask('WITH a AS (FROM t) SELECT * FROM a ORDER BY n DESC')
  expect(rows).toEqual([
    ['2', 'hit'],
    ['1', 'hit'],
    ['0', 'hit'],
  ])
})

test('a statement after any of these is answered as before', async () => {
  for (const [expression] of VALUES) await ask(`SELECT ${expression}`)
  expect((await ask('SELECT 42 AS n')).rows).toEqual([['42']])
})

// Functions that only ICU has are asked of a real browser, in tests/browser/console.spec.ts: this build looks for them outside.
test.each(['SELECT now() + INTERVAL 1 HOUR', 'SELECT now()::DATE'])(
  '%s fails with a message that is explained',
  async (sql) => {
    const error: unknown = await ask(sql).catch((thrown: unknown) => thrown)
    expect(isIcuMissing(String(asFurlongError(error).details['reason']))).toBe(true)
  },
)

test('an ENUM in a result that is fetched in parts is refused rather than missing', async () => {
  const sql = "SELECT 'hit'::ENUM ('hit') AS outcome"
  const refused = {
    code: 'query-failed',
    details: { reason: expect.stringContaining('outcome') as unknown },
  }
  await expect(
    runSqlInPages(engine.duckdb, sql, { cancelled: false }, 1000, async () => {}),
  ).rejects.toMatchObject(refused)
  await expect(ownEngine((work) => work(engine.duckdb)).rows(sql)).rejects.toMatchObject(refused)
  expect((await ask(sql)).rows).toEqual([['hit']])
})

const CASES = fileURLToPath(
  new URL('../../../shared/cases/12-console-values-and-csv/statements.sql', import.meta.url),
)

test.skipIf(!existsSync(CASES))(
  'statements of other people’s making are answered (skipped where ../shared/cases is missing)',
  async () => {
    for (const statement of readFileSync(CASES, 'utf8').split('\n').filter(Boolean)) {
      const result = await ask(statement)
      expect(result.rows.length, statement).toBeGreaterThan(0)
      expect((await ask('SELECT 42')).rows).toEqual([['42']])
    }
  },
)
