import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATASET_SCHEMA } from '../../contract/dataset-paths.ts'
import type { DatasetFile, Manifest } from '../../contract/dataset.ts'
import type { ChainHead } from '../../domain/prediction-lock.ts'
import { oldestFreeDay } from '../services/gate.ts'
import { dayIn } from '../../domain/region.ts'
import type { Database, Queries } from '../db/database.ts'
import { lockFolder } from '../db/folder-lock.ts'
import { holdsDemonstration } from '../store/racing/demonstration.ts'
import { readIdentity, readRegions, readRevisions } from '../store/racing/dataset-store.ts'
import { readLastRaceDay } from '../store/racing/race-store.ts'

/** The source of one partition's last build, and the resulting files. */
export interface Partition {
  /** Season, `reference` or `recent`. */
  name: string
  regionId: string
  /** Changes whenever the files must be rebuilt. */
  stamp: string
  files: DatasetFile[]
}

export interface Index {
  schema: number
  asOf: string
  demonstration: boolean
  regions: Manifest['regions']
  partitions: Partition[]
  /** Chains of commitments at this build, by the identity of their database; absent in an index of an earlier version. */
  chains?: { database: string; heads: ChainHead[] }
  /** The bucket in which it was published, and its revision there; absent if it was not published. */
  published?: { bucket: string; revision: number }
}

/** How long an unlisted file stays, for clients that still use the previous manifest. */
const KEEP_MS = 3_600_000

export const datasetFolder = (dataFolder: string): string => join(dataFolder, 'dataset')
const indexPath = (folder: string): string => join(folder, 'index.json')

export function readIndex(folder: string): Index | null {
  try {
    const index = JSON.parse(readFileSync(indexPath(folder), 'utf8')) as Index
    return index.schema === DATASET_SCHEMA ? index : null
  } catch {
    return null
  }
}

/** Replaces a file atomically. */
export function replaceFile(path: string, content: string | Buffer, mode?: number): void {
  const part = `${path}.${process.pid}.part`
  try {
    writeFileSync(part, content, { mode })
    renameSync(part, path)
  } finally {
    rmSync(part, { force: true })
  }
}

export const writeIndex = (folder: string, index: Index): void =>
  replaceFile(indexPath(folder), JSON.stringify(index))

/** Hashes of the files listed in an index. */
export const listedFiles = (index: Index): string[] => [
  ...new Set(index.partitions.flatMap(({ files }) => files.map(({ sha256 }) => sha256))),
]

/**
 * Deletes unlisted files that no client of an older manifest can still be reading, and leftovers of
 * interrupted builds.
 */
export function sweepFolder(folder: string, index: Index): void {
  const listed = new Set(listedFiles(index))
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const [sha256 = ''] = name.split('.')
    const isFile = /\.duckdb(\.br)?$/.test(name) && !listed.has(sha256)
    if (!isFile && !/^draft-|\.part$/.test(name)) continue
    if (Date.now() - statSync(path).mtimeMs > KEEP_MS) rmSync(path, { recursive: true, force: true })
  }
}

/** The manifest of the built dataset; `null` before the first build. */
export function readManifest(dataFolder: string): Manifest | null {
  const index = readIndex(datasetFolder(dataFolder))
  if (!index) return null
  const { schema, asOf, demonstration, regions, partitions, chains } = index
  const files = partitions.flatMap((partition) => partition.files)
  return { schema, asOf, demonstration, regions, files, chainHeads: chains?.heads ?? [] }
}

/** Changes whenever the index of the dataset files does; `null` before the first build. */
export const datasetStamp = (dataFolder: string): number | null =>
  statSync(indexPath(datasetFolder(dataFolder)), { throwIfNoEntry: false })?.mtimeMs ?? null

/** Current stamps of the season and reference partitions, in order. */
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

/**
 * The heads of the chains as they were last published from this database. A demonstration that was replaced took its
 * chains with it.
 */
export async function publishedHeads(database: Database, index: Index | null): Promise<ChainHead[]> {
  const isSameOrigin =
    index?.chains?.database === (await readIdentity(database)) &&
    index.demonstration === (await holdsDemonstration(database))
  return isSameOrigin ? (index.chains?.heads ?? []) : []
}

/** Takes the ends of the chains as they are as the published ones, after a restore made them shorter. */
export async function acceptHeads(
  database: Database,
  folder: string,
  heads: readonly ChainHead[],
): Promise<void> {
  const unlock = lockFolder(folder)
  try {
    const index = readIndex(folder)
    if (index === null) return
    writeIndex(folder, { ...index, chains: { database: await readIdentity(database), heads: [...heads] } })
  } finally {
    unlock()
  }
}

/** Whether dataset files are missing or were built from older rows, or another model was promoted; reads only the index. */
export async function isDatasetBehind(database: Database, dataFolder: string, now: Date): Promise<boolean> {
  const index = readIndex(datasetFolder(dataFolder))
  if (index === null) return true
  const stampOf = (regionId: string, name: string): string | undefined =>
    index.partitions.find((partition) => partition.regionId === regionId && partition.name === name)?.stamp
  for (const { regionId, name, stamp } of await stampsOf(database))
    if (stampOf(regionId, name) !== stamp) return true
  for (const { id, timeZone, headline } of await readRegions(database)) {
    if (index.regions.find((region) => region.id === id)?.headline !== headline) return true
    const from = await oldestPublicDay(database, id, timeZone, now)
    if (stampOf(id, 'recent')?.startsWith(`${from} `) !== true) return true
  }
  return false
}

/** Oldest day of the single predictions of a region that are public. */
export async function oldestPublicDay(
  database: Queries,
  regionId: string,
  timeZone: string,
  now: Date,
): Promise<string> {
  return oldestFreeDay(null, (await readLastRaceDay(database, regionId)) ?? dayIn(timeZone, now))!
}
