import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, test } from 'vitest'
import { table } from '../../analytics/table.ts'
import { writeDuckdbFiles } from '../../server/dataset/duckdb-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'furlong-duckdb-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SPILLED = table('spilled', 'Where the writer puts what does not fit into memory.', {
  folder: { type: 'VARCHAR', meaning: 'path' },
  bytes: { type: 'BIGINT', meaning: 'size of its files' },
})

/** Writes a file whose rows do not fit into memory, and tells where they went meanwhile. */
async function spillOf(name: string): Promise<{ path: string; bytes: number }> {
  const written = await writeDuckdbFiles(folder, [name], async (writer) => {
    await writer.derive(
      name,
      SPILLED,
      `SET memory_limit = '20MB';
       CREATE TEMP TABLE large AS SELECT range AS n, hash(range) AS h FROM range(4_000_000);
       INSERT INTO ${name}.spilled
       SELECT current_setting('temp_directory'), (SELECT sum(size) FROM duckdb_temporary_files())`,
    )
  })
  const { sha256 } = written[name]!
  const connection = await (
    await DuckDBInstance.create(join(folder, `${sha256}.duckdb`), { access_mode: 'READ_ONLY' })
  ).connect()
  const reader = await connection.runAndReadAll('SELECT folder, bytes FROM spilled')
  connection.closeSync()
  const [path, bytes] = reader.getRows()[0]!
  return { path: String(path), bytes: Number(bytes) }
}

test('files written at the same time spill into folders of their own, and nothing is left', async () => {
  const [one, two] = await Promise.all([spillOf('record'), spillOf('recent')])
  expect(one.path).not.toBe(two.path)
  for (const { path, bytes } of [one, two]) {
    expect(path.startsWith(join(folder, 'draft-'))).toBe(true)
    expect(bytes).toBeGreaterThan(0)
  }
  expect(readdirSync(folder).filter((name) => !/\.duckdb(\.br)?$/.test(name))).toEqual([])
})

const NUMBERED = table('numbered', 'Rows in their order, with and without cells.', {
  number: { type: 'SMALLINT', meaning: 'from 0' },
  day: { type: 'DATE', meaning: 'a day' },
  seen_at: { type: 'TIMESTAMP', meaning: 'an instant' },
  cents: { type: 'BIGINT', meaning: 'negative for every third' },
  name: { type: 'VARCHAR', meaning: 'NULL for every third' },
  parity: { type: { enum: ['even', 'odd'] }, meaning: 'NULL for every third' },
  whole: { type: 'BOOLEAN', meaning: 'whether a third of the number is whole' },
})

const numberedRow = (number: number) => ({
  number,
  day: '2026-11-27',
  seenAt: '2026-11-27T06:00:00.000Z',
  cents: number % 3 === 0 ? -1 - number : number,
  name: number % 3 === 0 ? null : `the row with the number ${number}`,
  parity: number % 3 === 0 ? null : number % 2 === 0 ? 'even' : 'odd',
  whole: number % 3 === 0,
})

test('rows are divided among files in their order, whole batches and the rest', async () => {
  const rows = Array.from({ length: 7001 }, (_, number) => numberedRow(number))
  const written = await writeDuckdbFiles(folder, ['low', 'high'], (writer) =>
    writer.divide(['low', 'high'], NUMBERED, rows, ({ number }) => (number < 5000 ? 'low' : 'high')),
  )
  expect([written.low.rows, written.high.rows]).toEqual([{ numbered: 5000 }, { numbered: 2001 }])
  const read = []
  for (const { sha256 } of [written.low, written.high]) {
    const path = join(folder, `${sha256}.duckdb`)
    const connection = await (await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })).connect()
    const reader = await connection.runAndReadAll(
      `SELECT number, strftime(day, '%Y-%m-%d') AS day, strftime(seen_at, '%Y-%m-%dT%H:%M:%S.%gZ') AS "seenAt",
         cents::INTEGER AS cents, name, parity, whole FROM numbered`,
    )
    read.push(...reader.getRowObjects())
    connection.closeSync()
  }
  expect(read).toEqual(rows)
})

test('a text that is not among the values of its column is refused', async () => {
  await expect(
    writeDuckdbFiles(folder, ['wrong'], (writer) =>
      writer.write('wrong', NUMBERED, [{ ...numberedRow(1), parity: 'neither' }]),
    ),
  ).rejects.toThrow('neither')
})
