import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { DatasetFile, Manifest } from '../contract/dataset.ts'
import { addDays } from '../domain/region.ts'
import { readManifest } from '../server/dataset/build.ts'
import { publish } from '../server/dataset/duckdb-file.ts'

const YEARS_APART = 12
const KEYS_APART = 1_000_000

/**
 * Writes dataset files of Hong Kong into `target` until there are `rows` predictions: the seasons of `source`, then the
 * same again some years earlier with other race keys. Returns the predictions written.
 */
export async function enlargeDataset(source: string, target: string, rows: number): Promise<number> {
  const manifest = readManifest(source)
  if (!manifest) throw new Error(`no dataset in ${source}`)
  const folder = join(target, 'dataset')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const files = manifest.files.filter(({ regionId, kind }) => regionId === '100000' && kind !== 'recent')
  const seasons = [...new Set(files.flatMap(({ season }) => (season === null ? [] : [season])))].toSorted(
    (a, b) => b - a,
  )
  const written: DatasetFile[] = []
  let predictions = 0
  for (const file of files.filter(({ season }) => season === null))
    written.push(await copyShifted(source, folder, file, 0))
  for (let round = 0; predictions < rows; round += 1) {
    for (const season of seasons) {
      if (predictions >= rows) break
      for (const file of files.filter((each) => each.season === season)) {
        written.push(await copyShifted(source, folder, file, round))
        predictions += file.rows['prediction'] ?? 0
      }
    }
  }
  writeIndex(folder, manifest, written)
  return predictions
}

async function copyShifted(
  source: string,
  folder: string,
  file: DatasetFile,
  round: number,
): Promise<DatasetFile> {
  const years = round * YEARS_APART
  const draft = join(folder, 'draft-copy')
  rmSync(draft, { force: true })
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`ATTACH '${join(source, 'dataset', `${file.sha256}.duckdb`)}' AS was (READ_ONLY)`)
  await connection.run(`ATTACH '${draft}' AS copied (BLOCK_SIZE 16384)`)
  for (const table of Object.keys(file.rows)) {
    const columns = await connection.runAndReadAll(
      `SELECT column_name FROM duckdb_columns() WHERE database_name = 'was' AND table_name = '${table}'`,
    )
    const names = columns.getRows().map(([name]) => name as string)
    const shifts = [
      ...(names.includes('race_key') ? [`(race_key - ${round * KEYS_APART})::INTEGER AS race_key`] : []),
      ...(names.includes('race_date') ? [`(race_date - INTERVAL ${years} YEAR)::DATE AS race_date`] : []),
    ]
    const replace = shifts.length > 0 ? `REPLACE (${shifts.join(', ')})` : ''
    await connection.run(`CREATE TABLE copied.${table} AS SELECT * ${replace} FROM was.${table}`)
  }
  await connection.run('CHECKPOINT copied')
  await connection.run('DETACH copied')
  connection.closeSync()
  instance.closeSync()
  const moved = (day: string | null): string | null => (day === null ? null : addDays(day, -365 * years))
  const named = await publish(folder, draft, file.rows)
  return {
    ...file,
    ...named,
    season: file.season === null ? null : file.season - years,
    from: moved(file.from),
    to: moved(file.to),
  }
}

function writeIndex(folder: string, manifest: Manifest, files: DatasetFile[]): void {
  const partitions = [{ regionId: '100000', name: 'enlarged', stamp: '', files }]
  const regions = manifest.regions.filter(({ id }) => id === '100000')
  const { schema, asOf, demonstration } = manifest
  writeFileSync(
    join(folder, 'index.json'),
    JSON.stringify({ schema, asOf, demonstration, regions, partitions }),
  )
}
