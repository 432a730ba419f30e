import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import type { Access } from '../../analytics/source.ts'
import { PREDICTION, RACE, RUNNER, STARTER, STARTER_DETAIL } from '../../analytics/tables.ts'
import type { FileSet } from '../analytics/analytics-service.ts'
import type { DatasetFile, Manifest } from '../../contract/dataset.ts'
import { racingDay } from '../../domain/region.ts'
import type { Database } from '../db/database.ts'
import { racesSql, runnersSql, type NamedRow } from '../store/racing/dataset-store.ts'
import { COMING, readSettled } from '../store/racing/settled/settled-store.ts'
import { makePrivateFolder } from '../db/folder-lock.ts'
import { datasetFolder } from './dataset-index.ts'
import { writeDuckdbFiles } from './duckdb-file.ts'
import { settledTables } from './settled-rows.ts'

/** How long a file counts as fresh after it was written, in milliseconds. */
const FRESH_MS = 3000
/** A replaced file stays for as long as a query on it may be queued. */
const REPLACED_MS = 120_000

/** `asOf`: when its rows were read, ISO 8601. */
type ComingFile = Pick<DatasetFile, 'sha256' | 'rows'> & Pick<Manifest, 'asOf'>

interface RegionFile {
  /** The file being written; concurrent callers wait for it. */
  pending: Promise<ComingFile> | null
  made: { at: number; file: ComingFile } | null
  /** Replaced files, and when they were replaced. */
  replaced: { at: number; sha256: string }[]
}

type Region = Pick<Manifest['regions'][number], 'id' | 'timeZone'>

/**
 * Predictions for the races of today and of the next race day in the tables of the record, so that the same query finds
 * upcoming races matching a filter. The file is in no manifest: only the server reads it, and decides who may
 * see which race.
 */
export class ComingFiles {
  private readonly database: Database
  private readonly folder: string
  private readonly now: () => Date
  private readonly regions = new Map<string, RegionFile>()

  constructor(database: Database, dataFolder: string, now: () => Date) {
    this.database = database
    this.folder = datasetFolder(dataFolder)
    this.now = now
  }

  /** The newest file of a region; a new one is written for the first query after `FRESH_MS`. */
  async of(region: Region): Promise<ComingFile> {
    const current = this.regions.get(region.id) ?? { pending: null, made: null, replaced: [] }
    this.regions.set(region.id, current)
    if (current.pending) return current.pending
    if (current.made && Math.abs(this.now().getTime() - current.made.at) < FRESH_MS) return current.made.file
    current.pending = this.renew(region, current).finally(() => (current.pending = null))
    return current.pending
  }

  private async renew(region: Region, current: RegionFile): Promise<ComingFile> {
    const file = await this.make(region)
    const at = this.now().getTime()
    const before = current.made?.file.sha256
    current.made = { at, file }
    if (before !== undefined && before !== file.sha256) current.replaced.push({ at, sha256: before })
    const ended = current.replaced.filter((old) => at - old.at > REPLACED_MS && old.sha256 !== file.sha256)
    current.replaced = current.replaced.filter((old) => !ended.includes(old) && old.sha256 !== file.sha256)
    for (const { sha256 } of ended)
      for (const end of ['', '.br']) rmSync(join(this.folder, `${sha256}.duckdb${end}`), { force: true })
    return file
  }

  private async make(region: Region): Promise<ComingFile> {
    const { id } = region
    const now = this.now()
    const day = racingDay(region, now)
    const rowsOf = (sql: string): Promise<NamedRow[]> => this.database.rows<NamedRow>(sql, [id, day])
    const races = await rowsOf(racesSql(COMING))
    const runners = await rowsOf(runnersSql(COMING))
    const coming = settledTables(id, await readSettled(this.database, id, { coming: day }))
    makePrivateFolder(this.folder)
    const name = `coming_${id}` as const
    const files = await writeDuckdbFiles(this.folder, [name], async (writer) => {
      await writer.write(name, RACE, races)
      await writer.write(name, RUNNER, runners)
      await writer.write(name, PREDICTION, coming.predictions())
      await writer.write(name, STARTER, coming.starters())
      await writer.write(name, STARTER_DETAIL, coming.details())
    })
    const { sha256, rows } = files[name]!
    return { sha256, rows, asOf: now.toISOString() }
  }
}

/** Access to all upcoming races. These have only rows: the rollups contain settled predictions. */
export const ALL_COMING = {
  scope: 'all',
  without: PREDICTIONS.rollups.map(({ table }) => table),
} as const satisfies Access

/** The files for queries about a region's upcoming races, and when their rows were read (ISO 8601). */
export async function comingSet(
  coming: ComingFiles,
  manifest: Manifest,
  region: Manifest['regions'][number],
): Promise<FileSet & { asOf: string }> {
  const made = await coming.of(region)
  const names = manifest.files.filter((file) => file.regionId === region.id && file.kind === 'reference')
  return { files: [made, ...names], group: `coming ${region.id}`, asOf: made.asOf }
}
