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
