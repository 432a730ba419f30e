import type { DatasetFile, Manifest } from '../../contract/dataset.ts'
import type { EngineProgress, OpenRequest, OpenedDataset } from '../../contract/engine.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { Access } from '../sql/record-source.ts'
import { viewStatements } from '../sql/views.ts'
import type { Engine } from './duckdb.ts'
import { datasetBytes, sweepCache } from './file-cache.ts'
import { fetchManifest } from './manifest.ts'
import { runSql } from './run-sql.ts'

/** The files that one reader's right opens of one region. */
export function filesToOpen(manifest: Manifest, regionId: string, entitled: boolean): DatasetFile[] {
  return manifest.files.filter((file) => {
    if (file.regionId !== regionId) return false
    // The recent file repeats what an entitled reader's record files have.
    if (file.kind === 'recent') return !entitled
    return file.entitlement === 'public' || entitled
  })
}

const aliasOf = ({ sha256 }: DatasetFile): string => `f_${sha256.slice(0, 16)}`

/** The opened region of an engine: which files are attached, and what they allow. */
export class Dataset {
  private readonly engine: Engine
  private attached = new Map<string, DatasetFile>()
  access: Access = { history: false, seasonStartMonth: 9 }

  constructor(engine: Engine) {
    this.engine = engine
  }

  /**
   * Opens a region's files, those that are attached already left as they are. A right that the server refuses opens
   * what is public. Throws the errors of the manifest and of files.
   */
  async open(request: OpenRequest, onProgress: (progress: EngineProgress) => void): Promise<OpenedDataset> {
    await runSql(this.engine, `SET memory_limit = '${Math.max(1, Math.floor(request.memoryLimitMb))}MiB'`)
    const { manifest, offline } = await fetchManifest(request.baseUrl)
    const region = manifest.regions.find(({ id }) => id === request.regionId)
    if (!region) throw new FurlongError('not-found', { region: request.regionId })
    let entitled = request.token !== null
    let fetchedBytes: number
    let files: DatasetFile[]
    try {
      files = filesToOpen(manifest, region.id, entitled)
      fetchedBytes = await this.attach(files, request, onProgress)
    } catch (error) {
      if (!entitled || !(error instanceof FurlongError) || error.code !== 'vip-needed') throw error
      entitled = false
      files = filesToOpen(manifest, region.id, false)
      fetchedBytes = await this.attach(files, { ...request, token: null }, onProgress)
    }
    onProgress({ stage: 'opening', files: files.length })
    const shown = files.map((file) => ({ alias: aliasOf(file), tables: Object.keys(file.rows) }))
    for (const statement of viewStatements(shown)) await runSql(this.engine, statement)
    const history = files.some(({ kind }) => kind === 'record')
    this.access = { history, seasonStartMonth: region.seasonStartMonth }
    await sweepCache(request.baseUrl, manifest.files, files)
    const days = files.flatMap(({ kind, from, to }) => (kind === 'racing' ? [from, to] : []))
    const known = days.filter((day) => day !== null).toSorted()
    return {
      asOf: manifest.asOf,
      demonstration: manifest.demonstration,
      regionId: region.id,
      history,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      fetchedBytes,
      offline,
      from: known[0] ?? null,
      to: known.at(-1) ?? null,
    }
  }

  /** Attaches what is missing and lets go of what is not wanted any more. Returns the bytes fetched. */
  private async attach(
    files: readonly DatasetFile[],
    request: OpenRequest,
    onProgress: (progress: EngineProgress) => void,
  ): Promise<number> {
    const wanted = new Set(files.map(aliasOf))
    for (const [alias, file] of this.attached) {
      if (!wanted.has(alias)) await this.detach(alias, file)
    }
    const missing = files.filter((file) => !this.attached.has(aliasOf(file)))
    const totalBytes = missing.reduce((sum, { bytes }) => sum + bytes, 0)
    let doneBytes = 0
    let fetchedBytes = 0
    const onBytes = (bytes: number): void => {
      doneBytes += bytes
      onProgress({ stage: 'fetching', doneBytes: Math.min(doneBytes, totalBytes), totalBytes })
    }
    const options = { baseUrl: request.baseUrl, token: request.token, onBytes }
    // All at once: over one connection ten small files cost one round trip, not ten.
    const contents = await Promise.all(missing.map((file) => datasetBytes(file, options)))
    for (const [index, file] of missing.entries()) {
      const { bytes, fetched } = contents[index]!
      if (fetched) fetchedBytes += bytes.length
      const alias = aliasOf(file)
      await this.engine.database.registerFileBuffer(`${alias}.duckdb`, bytes)
      await runSql(this.engine, `ATTACH '${alias}.duckdb' AS ${alias} (READ_ONLY)`)
      this.attached.set(alias, file)
    }
    return fetchedBytes
  }

  private async detach(alias: string, file: DatasetFile): Promise<void> {
    // Views over the file go first; the next `open` makes them anew.
    const shown = [{ alias, tables: Object.keys(file.rows) }]
    for (const statement of viewStatements(shown)) {
      if (statement.startsWith('DROP VIEW')) await runSql(this.engine, statement)
    }
    await runSql(this.engine, `DETACH ${alias}`)
    await this.engine.database.dropFile(`${alias}.duckdb`)
    this.attached.delete(alias)
  }
}
