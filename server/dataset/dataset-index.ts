import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATASET_SCHEMA, type DatasetFile, type Manifest } from '../../contract/dataset.ts'
import { oldestFreeDay } from '../services/gate.ts'
import type { Database } from '../store/database.ts'
import { readIdentity, readRegions, readRevisions } from '../store/dataset-store.ts'

/** What one partition was last built from, and the files that came of it. */
export interface Partition {
  /** Season, or `recent`. */
  name: string
  regionId: string
  /** Changes whenever the files must be built again. */
  stamp: string
  files: DatasetFile[]
}

export interface Index {
  schema: number
  asOf: string
  demonstration: boolean
  regions: Manifest['regions']
  partitions: Partition[]
  /** Number under which it was published in a bucket, and in which; absent: in none. */
  published?: { bucket: string; revision: number }
}

/** A file that nobody lists any more stays this long, for readers who hold the manifest before it. */
const KEEP_MS = 3_600_000

export const datasetFolder = (dataFolder: string): string => join(dataFolder, 'dataset')
export const indexPath = (folder: string): string => join(folder, 'index.json')

export function readIndex(folder: string): Index | null {
  try {
    const index = JSON.parse(readFileSync(indexPath(folder), 'utf8')) as Index
    return index.schema === DATASET_SCHEMA ? index : null
  } catch {
    return null
  }
}

/** Replaces a folder's index in one step. */
export function writeIndex(folder: string, index: Index): void {
  const draft = `${indexPath(folder)}.${process.pid}.part`
  try {
    writeFileSync(draft, JSON.stringify(index))
    renameSync(draft, indexPath(folder))
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Hashes of the files that an index lists. */
export const listedFiles = (index: Index): string[] => [
  ...new Set(index.partitions.flatMap(({ files }) => files.map(({ sha256 }) => sha256))),
]

/** Removes files that are listed no more, once nobody can still be reading by an older manifest, and what killed builds left. */
export function sweepFolder(folder: string, index: Index): void {
  const listed = new Set(listedFiles(index))
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const [sha256 = ''] = name.split('.')
    const isFile = /\.duckdb(\.br)?$/.test(name) && !listed.has(sha256)
    if (!isFile && !/^draft-|\.part$/.test(name)) continue
    if (Date.now() - statSync(path).mtimeMs > KEEP_MS) rmSync(path, { force: true })
  }
}

/** The manifest of what is built; `null` before the first build. */
export function readManifest(dataFolder: string): Manifest | null {
  const index = readIndex(datasetFolder(dataFolder))
  if (!index) return null
  const { schema, asOf, demonstration, regions, partitions } = index
  return { schema, asOf, demonstration, regions, files: partitions.flatMap(({ files }) => files) }
}

/** Changes whenever the index of the dataset files does; `null` before the first build. */
export const datasetStamp = (dataFolder: string): number | null =>
  statSync(indexPath(datasetFolder(dataFolder)), { throwIfNoEntry: false })?.mtimeMs ?? null

/** What the partitions of seasons and of reference data are to be built from, in their order. */
export async function stampsOf(
  database: Database,
): Promise<{ regionId: string; season: number; name: string; stamp: string }[]> {
  const identity = await readIdentity(database)
  return (await readRevisions(database)).map(({ regionId, season, revision }) => ({
    regionId,
    season,
    name: season === 0 ? 'reference' : String(season),
    stamp: `${identity} ${revision}`,
  }))
}

/** Whether files are missing in the index, or were built from older rows; reads no file but the index. */
export async function isDatasetBehind(database: Database, dataFolder: string, now: Date): Promise<boolean> {
  const index = readIndex(datasetFolder(dataFolder))
  if (index === null) return true
  const stampOf = (regionId: string, name: string): string | undefined =>
    index.partitions.find((partition) => partition.regionId === regionId && partition.name === name)?.stamp
  for (const { regionId, name, stamp } of await stampsOf(database))
    if (stampOf(regionId, name) !== stamp) return true
  const regions = await readRegions(database)
  // What everybody sees begins a day later each day.
  return regions.some(
    ({ id, timeZone }) =>
      stampOf(id, 'recent')?.startsWith(`${oldestFreeDay(null, timeZone, now)!} `) !== true,
  )
}
