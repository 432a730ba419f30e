import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PREDICTION, RACE, RUNNER, STARTER } from '../../analytics/tables.ts'
import type { DatasetFile } from '../../contract/dataset.ts'
import { dayIn } from '../../domain/region.ts'
import type { Database } from '../store/database.ts'
import { racesSql, runnersSql, type NamedRow } from '../store/dataset-store.ts'
import { COMING, readSettled } from '../store/settled-store.ts'
import { makePrivateFolder } from '../store/folder-lock.ts'
import { datasetFolder } from './build.ts'
import { writeDuckdbFiles } from './duckdb-file.ts'
import { settledTables } from './settled-rows.ts'

/** How old the rows of coming races may be. */
const FRESH_MS = 3000

export interface ComingFile extends Pick<DatasetFile, 'sha256' | 'rows'> {
  /** When its rows were read, ISO 8601. */
  asOf: string
}

interface Made {
  /** Instant at which it was asked for, in milliseconds. */
  at: number
  file: Promise<ComingFile>
  /** The file that it took the place of. */
  before: string | null
}

interface Region {
  id: string
  timeZone: string
}

/**
 * Predictions of today's and tomorrow's races in the tables of the record, so that the same question finds the matches of
 * a slice among them. The file is in no manifest: it is read by the server alone, which decides who may see which race.
 */
export class ComingFiles {
  private readonly database: Database
  private readonly folder: string
  private readonly now: () => Date
  private readonly made = new Map<string, Made>()

  constructor(database: Database, dataFolder: string, now: () => Date) {
    this.database = database
    this.folder = datasetFolder(dataFolder)
    this.now = now
  }

  /** The newest file of a region; a newer one is made for the first question after three seconds. */
  async of(region: Region): Promise<ComingFile> {
    const at = this.now().getTime()
    const before = this.made.get(region.id)
    if (before && Math.abs(at - before.at) < FRESH_MS) return before.file
    const mine: Made = { at, file: this.make(region), before: null }
    this.made.set(region.id, mine)
    try {
      const { sha256 } = await mine.file
      const last = before && (await before.file.catch(() => null))
      mine.before = last ? last.sha256 : null
      // A question may be on its way with the file before; with the one before that none is any more.
      const old = before?.before ?? null
      if (old !== null && old !== sha256 && old !== mine.before)
        for (const end of ['', '.br']) rmSync(join(this.folder, `${old}.duckdb${end}`), { force: true })
    } catch (error) {
      if (this.made.get(region.id) === mine) this.made.delete(region.id)
      throw error
    }
    return mine.file
  }

  private async make({ id, timeZone }: Region): Promise<ComingFile> {
    const now = this.now()
    const day = dayIn(timeZone, now)
    const rowsOf = (sql: string): Promise<NamedRow[]> => this.database.rows<NamedRow>(sql, [id, day])
    const races = await rowsOf(racesSql(COMING))
    const runners = await rowsOf(runnersSql(COMING))
    const coming = settledTables(id, await readSettled(this.database, id, { coming: day }))
    makePrivateFolder(this.folder)
    const name = `coming_${id}` as const
    const files = await writeDuckdbFiles(this.folder, [name], async (writer) => {
      for (const [table, rows] of [
        [RACE, races],
        [RUNNER, runners],
        [PREDICTION, coming.predictions],
        [STARTER, coming.starters],
      ] as const) {
        await writer.create(name, table)
        await writer.append(name, table, rows)
      }
    })
    const { sha256, rows } = files[name]!
    return { sha256, rows, asOf: now.toISOString() }
  }
}
