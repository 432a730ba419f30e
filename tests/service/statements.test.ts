// @module-tag rest
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { camelCase } from '../../domain/camel-case.ts'
import { localTime, nameIn, nameLanguageIn } from '../../server/store/racing/schedule.ts'
import { readStatements, type ColumnKind, type ReadStatement } from '../../tools/lib/statements.mjs'
import { newDatabase, type TestDatabase } from '../support/databases.ts'
import { describeStatement, type DescribedColumn } from '../support/describe-statement.ts'
import { ROOT } from '../support/server-process.ts'

/**
 * Statements put together at run time, which this test cannot read: of the adapters and of Kysely, which checks its own;
 * of upserts, sweeps and undos over a list of tables; and with a parameter's own SQL. Their number may only fall.
 */
const MOST_UNREAD = 19

const { INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, BOOL, BYTEA, JSON, JSONB } = pg.types.builtins
const KINDS: Readonly<Record<number, ColumnKind>> = {
  [INT2]: 'number',
  [INT4]: 'number',
  [INT8]: 'number',
  [FLOAT4]: 'number',
  [FLOAT8]: 'number',
  [NUMERIC]: 'number',
  [BOOL]: 'boolean',
  [BYTEA]: 'bytes',
  [JSON]: 'json',
  [JSONB]: 'json',
}
/** Number of the first array type that a statement here returns: `text[]`, and of `int2[]` and `int4[]`. */
const ARRAYS = new Set([1005, 1007, 1009])

const kindOf = (type: number): ColumnKind => (ARRAYS.has(type) ? 'array' : (KINDS[type] ?? 'string'))

let place: TestDatabase
let client: pg.Client
let read: ReturnType<typeof readStatements>
beforeAll(async () => {
  place = await newDatabase('postgresql')
  client = new pg.Client(place.databaseUrl)
  await client.connect()
  read = readStatements(ROOT, join(ROOT, 'server/tsconfig.json'), { localTime, nameIn, nameLanguageIn })
})
afterAll(async () => {
  await client.end()
  await place.close()
})

/** What is wrong between the columns of a statement and its declared row. */
function faultsOf({ columns }: ReadStatement, described: readonly DescribedColumn[]): string[] {
  if (columns === null) return []
  const isValue = '*' in columns
  if (isValue && described.length !== 1) return ['more than the only value is returned']
  const found = new Map(described.map(({ name, type }) => [isValue ? '*' : camelCase(name), type]))
  const missing = Object.keys(columns).filter((name) => !found.has(name))
  const undeclared = [...found.keys()].filter((name) => !(name in columns))
  const other = Object.entries(columns).flatMap(([name, kinds]) => {
    const type = found.get(name)
    if (type === undefined || kinds.length === 0) return []
    const kind = kindOf(type)
    // A JSON value is of any kind.
    return kind === 'json' || kinds.includes(kind) ? [] : [`${name} is ${kind}, not ${kinds.join(' or ')}`]
  })
  return [
    ...missing.map((name) => `${name} is no column`),
    ...undeclared.map((name) => `${name} is not declared`),
    ...other,
  ]
}

test('PostgreSQL prepares every statement, and its columns are those of the declared row', async () => {
  const faults: string[] = []
  // Others read a table that lasts for a transaction; here it lasts for the session.
  for (const { sql } of read.statements)
    if (/^\s*create temporary table/.test(sql)) await client.query(sql.replace('on commit drop', ''))
  for (const statement of read.statements) {
    try {
      const described = await describeStatement(client, statement.sql)
      for (const fault of faultsOf(statement, described)) faults.push(`${statement.place}: ${fault}`)
    } catch (error) {
      faults.push(`${statement.place}: ${(error as Error).message}`)
    }
  }
  expect(faults).toEqual([])
  // Otherwise nothing was read.
  expect(read.statements.length).toBeGreaterThan(200)
})

test('hardly any statement is put together where this test cannot read it', () => {
  expect(read.unread.length, read.unread.join('\n')).toBeLessThanOrEqual(MOST_UNREAD)
})
