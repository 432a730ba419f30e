import { tableFromIPC } from 'apache-arrow'
import type { DatasetFile, Manifest } from '../../contract/dataset.ts'
import type { EngineProgress, OpenRequest, OpenedDataset } from '../../analytics/engine-api.ts'
import {
  closeStatements,
  CONSTANTS_SQL,
  constantsOf,
  materializeSteps,
  MADE_TABLES,
  openStatements,
  type MaterializeStep,
} from '../../analytics/open.ts'
import { RACE_TOTALS } from '../../analytics/predictions.ts'
import type { Access } from '../../analytics/source.ts'
import { chooseFiles } from '../../contract/dataset-files.ts'
import { FurlongError } from '../../domain/errors.ts'
import { loadEngine, startEngine, type DuckDb } from './duckdb.ts'
import { datasetBytes, sweepCache, type FetchedFile } from './file-cache.ts'
import { fetchManifest } from './manifest.ts'
import { runShortSql } from './run-sql.ts'

/** Browsers open six connections to a site, of which one fetches the engine's module. */
const AT_ONCE = 3

/** Whether the site was last reached by a protocol that carries many transfers over one connection, as HTTP/2 does. */
function sharesOneConnection(): boolean {
  const last = performance.getEntriesByType('resource').at(-1) as PerformanceResourceTiming | undefined
  return last !== undefined && /^h[23]/.test(last.nextHopProtocol)
}

const aliasOf = ({ sha256 }: DatasetFile): string => `f_${sha256.slice(0, 16)}`

/** The files that a request opens, and the contents of those that are not attached yet. */
interface FetchedDataset {
  request: OpenRequest
  manifest: Manifest
  offline: boolean
  files: readonly DatasetFile[]
  contents: ReadonlyMap<DatasetFile, FetchedFile>
}

/** The opened region of an engine: the attached files, and the access they provide. */
export class Dataset {
  private readonly starting: () => Promise<DuckDb>
  private attached = new Map<string, DatasetFile>()
  private readonly unkept: (() => Promise<void>)[] = []
  access: Access = { scope: 'public' }
  /** What was opened last; `null` before the first time, and while files are replaced. */
  opened: OpenedDataset | null = null

  /** `starting`: resolves to the engine, which may still be starting while files are fetched. */
  constructor(starting: () => Promise<DuckDb>) {
    this.starting = starting
  }

  /**
   * Opens a region's files; files that are already attached stay attached. Throws the errors of `fetch`.
   */
  async open(request: OpenRequest, onProgress: (progress: EngineProgress) => void): Promise<OpenedDataset> {
    return this.openFetched(await this.fetch(request, onProgress), onProgress)
  }

  /**
   * Fetches the files to open that are not attached; what is open can be queried meanwhile. If the server refuses the token's
   * access, these are only public files. Throws the errors of the manifest and of files.
   */
  async fetch(request: OpenRequest, onProgress: (progress: EngineProgress) => void): Promise<FetchedDataset> {
    const { manifest, offline } = await fetchManifest(request.baseUrl)
    const region = manifest.regions.find(({ id }) => id === request.regionId)
    if (!region) throw new FurlongError('not-found', { region: request.regionId })
    const newestOnly = request.seasons === 'newest'
    const choose = (entitled: boolean): DatasetFile[] =>
      chooseFiles(manifest, {
        regionId: region.id,
        models: request.model === null ? [] : [request.model, ...(request.otherModels ?? [])],
        entitled,
        newestOnly,
        details: request.details === true,
        sections: request.sections === true,
        extra: request.extra === true,
      })
    let entitled = request.token !== null
    let files = choose(entitled)
    let contents: FetchedDataset['contents']
    try {
      contents = await this.fetchMissing(files, request, onProgress)
    } catch (error) {
      if (!entitled || !(error instanceof FurlongError) || error.code !== 'vip-needed') throw error
      entitled = false
      files = choose(false)
      contents = await this.fetchMissing(files, { ...request, token: null }, onProgress)
    }
    return { request, manifest, offline, files, contents }
  }

  /** Opens what was fetched since the last opening, and nothing else. */
  async openFetched(
    { request, manifest, offline, files, contents }: FetchedDataset,
    onProgress: (progress: EngineProgress) => void,
  ): Promise<OpenedDataset> {
    const duckdb = await this.starting()
    const limit = Math.max(1, Math.floor(request.memoryLimitMb))
    onProgress({ stage: 'opening', files: files.length })
    this.opened = null
    await this.close(duckdb, files)
    await this.attach(duckdb, files, contents, [`SET memory_limit = '${limit}MiB'`])
    const history = files.some(({ kind }) => kind === 'record')
    this.access = history ? { scope: 'all', constants: {}, without: MADE_TABLES } : { scope: 'public' }
    this.unkept.push(async () => {
      for (const { keep } of contents.values()) await keep?.()
      await sweepCache(request.baseUrl, manifest.files, files)
    })
    const days = files.flatMap(({ kind, from, to }) => (kind === 'racing' ? [from, to] : []))
    const known = days.filter((day) => day !== null).toSorted()
    this.opened = {
      asOf: manifest.asOf,
      demonstration: manifest.demonstration,
      regionId: request.regionId,
      model: request.model,
      history,
      details: files.some(({ kind }) => kind === 'details'),
      // There may be no sections at all.
      sections: request.sections === true,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      fetchedBytes: [...contents.values()].reduce(
        (sum, { bytes, fetched }) => sum + (fetched ? bytes.length : 0),
        0,
      ),
      offline,
      from: known[0] ?? null,
      to: known.at(-1) ?? null,
      since: request.seasons === 'newest' ? (known[0] ?? null) : null,
    }
    return this.opened
  }

  /** Whether tables that answer most questions are still to be made. */
  get isMaking(): boolean {
    return this.access.scope === 'all' && this.access.without !== undefined
  }

  /**
   * The remaining steps that make queries faster, in order, each taking tens of milliseconds, but for the first: all until the
   * first made table, a third of a second. A step does nothing if the files have been replaced since. A table is used as
   * soon as it is made.
   */
  steps(): (() => Promise<void>)[] {
    const { opened } = this
    const steps = materializeSteps(this.shown())
    const run = async ({ statements, made }: MaterializeStep): Promise<void> => {
      if (this.opened !== opened) return
      const duckdb = await this.starting()
      await runAll(duckdb, statements)
      if (made === undefined || this.opened !== opened || this.access.scope !== 'all') return
      const { without = [], ...access } = this.access
      const left = without.filter((table) => table !== made)
      const constants = made === RACE_TOTALS.table ? await this.constants(duckdb) : access.constants
      this.access = { ...access, constants, ...(left.length === 0 ? {} : { without: left }) }
    }
    const count = steps.findIndex(({ made }) => made !== undefined) + 1
    const [last] = steps.slice(count - 1, count)
    const first = { ...last, statements: steps.slice(0, count).flatMap(({ statements }) => statements) }
    return [first, ...steps.slice(count)].map((step) => () => run(step))
  }

  /**
   * Stores fetched files for the next visit and deletes what is no longer used. Called when the reader waits for nothing,
   * because writing takes the processor.
   */
  async keepFetched(): Promise<void> {
    for (const keep of this.unkept.splice(0)) await keep().catch(() => undefined)
  }

  private shown(): { alias: string; tables: string[] }[] {
    return [...this.attached.values()].map((file) => ({
      alias: aliasOf(file),
      tables: Object.keys(file.rows),
    }))
  }

  private async constants(duckdb: DuckDb): Promise<ReturnType<typeof constantsOf>> {
    const rows = tableFromIPC(await runShortSql(duckdb, CONSTANTS_SQL))
      .toArray()
      .map((row) => ({ model: String(row['model']), origin: String(row['origin']) }))
    return constantsOf(rows)
  }

  private missing(files: readonly DatasetFile[]): DatasetFile[] {
    return files.filter((file) => !this.attached.has(aliasOf(file)))
  }

  /**
   * Fetches all files that are not attached, the largest first. Over one connection that carries many transfers they are
   * fetched at once, because they then cost a single round trip; otherwise a few at a time, so that connections are left
   * for the reader's questions.
   */
  private async fetchMissing(
    files: readonly DatasetFile[],
    request: OpenRequest,
    onProgress: (progress: EngineProgress) => void,
  ): Promise<FetchedDataset['contents']> {
    const missing = this.missing(files)
    const totalBytes = missing.reduce((sum, { bytes }) => sum + bytes, 0)
    let doneBytes = 0
    const onBytes = (bytes: number): void => {
      doneBytes += bytes
      onProgress({ stage: 'fetching', doneBytes: Math.min(doneBytes, totalBytes), totalBytes })
    }
    const options = { baseUrl: request.baseUrl, token: request.token, onBytes }
    const fetched = new Map<DatasetFile, FetchedFile>()
    const left = missing.toSorted((a, b) => b.bytes - a.bytes).values()
    const fetchNext = async (): Promise<void> => {
      for (const file of left) fetched.set(file, await datasetBytes(file, options))
    }
    await Promise.all(Array.from({ length: sharesOneConnection() ? missing.length : AT_ONCE }, fetchNext))
    return fetched
  }

  /** Drops what was opened, and detaches the files that are no longer needed. */
  private async close(duckdb: DuckDb, files: readonly DatasetFile[]): Promise<void> {
    const wanted = new Set(files.map(aliasOf))
    const unwanted = [...this.attached.keys()].filter((alias) => !wanted.has(alias))
    await runAll(duckdb, [...closeStatements(), ...unwanted.map((alias) => `DETACH ${alias}`)])
    for (const alias of unwanted) {
      await duckdb.database.dropFile(`${alias}.duckdb`)
      this.attached.delete(alias)
    }
  }

  /** Attaches the fetched files after some settings, and presents all files as one. */
  private async attach(
    duckdb: DuckDb,
    files: readonly DatasetFile[],
    contents: FetchedDataset['contents'],
    settings: readonly string[],
  ): Promise<void> {
    const missing = this.missing(files)
    await Promise.all(
      missing.map((file) =>
        duckdb.database.registerFileBuffer(`${aliasOf(file)}.duckdb`, contents.get(file)!.bytes),
      ),
    )
    const attaching = missing.map(
      (file) => `ATTACH '${aliasOf(file)}.duckdb' AS ${aliasOf(file)} (READ_ONLY)`,
    )
    await runAll(duckdb, [...settings, ...attaching])
    for (const file of missing) this.attached.set(aliasOf(file), file)
    await runAll(duckdb, openStatements(this.shown()))
  }
}

/** Opens a region's files in an engine of their own. Throws the errors of the engine and of the files. */
export async function openAlone(
  request: OpenRequest,
): Promise<{ duckdb: DuckDb; dataset: Dataset; opened: OpenedDataset }> {
  const started = startEngine(loadEngine(request.baseUrl))
  const dataset = new Dataset(() => started)
  const opened = await dataset.open(request, () => {})
  void dataset.keepFetched()
  return { duckdb: await started, dataset, opened }
}

/** Runs statements in one round trip to DuckDB's worker. */
async function runAll(duckdb: DuckDb, statements: readonly string[]): Promise<void> {
  if (statements.length > 0) await runShortSql(duckdb, statements.join(';\n'))
}
