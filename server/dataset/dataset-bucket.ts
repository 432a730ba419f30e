import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { DATASET_SCHEMA } from '../../contract/dataset.ts'
import { FurlongError } from '../../domain/errors.ts'
import { openBucket, type Bucket, type BucketSettings } from '../store/bucket.ts'
import { lockFolder, makePrivateFolder } from '../store/folder-lock.ts'
import { listedFiles, readIndex, sweepFolder, writeIndex, type Index } from './dataset-index.ts'

/** Files that are fetched or sent at once. */
const AT_ONCE = 4
/** Indexes that stay, for who was about to read one. */
const KEPT_INDEXES = 10
/** A file that no kept index lists stays this long, for who fetches by an older one or is about to publish. */
const KEEP_MS = 3_600_000

const unpack = promisify(brotliDecompress)

const fileKey = (sha256: string): string => `files/${sha256}.duckdb.br`
/** Builds of another layout have indexes of their own: while machines are upgraded both are there. */
const INDEXES = `index-${DATASET_SCHEMA}/`
const indexKey = (revision: number): string => `${INDEXES}${String(revision).padStart(10, '0')}.json`
const revisionOf = (key: string): number => Number(/(\d+)\.json$/.exec(key)?.[1] ?? 0)

/**
 * The dataset of several machines. The bucket has each file once, by its content, and numbered indexes that are made and
 * never changed: of two who publish at once one makes the number, and the other builds on it. Each machine's folder is a
 * copy that may be lost.
 */
export class DatasetBucket {
  private readonly settings: BucketSettings
  private bucket: Promise<Bucket> | null = null
  private pulling: Promise<boolean> | null = null
  /** Names the bucket in a folder's index: numbers of another one mean nothing here. */
  private readonly name: string

  constructor(settings: BucketSettings) {
    this.settings = settings
    this.name = [settings.endpoint ?? settings.region, settings.name, settings.prefix].join(' ')
  }

  /**
   * Brings a folder to the newest published index, its files first; answers whether it changed. Nothing is done while
   * somebody else changes the folder. Throws `bucket-failed`, `dataset-corrupt`; the folder is then as it was.
   */
  pull(folder: string): Promise<boolean> {
    this.pulling ??= this.pullOnce(folder).finally(() => (this.pulling = null))
    return this.pulling
  }

  private async pullOnce(folder: string): Promise<boolean> {
    // Looking takes no lock: it is done all the time.
    if ((await this.newerThan(readIndex(folder))) === null) return false
    makePrivateFolder(folder)
    let unlock: () => void
    try {
      unlock = lockFolder(folder)
    } catch (error) {
      if (error instanceof FurlongError && error.code === 'database-locked') return false
      throw error
    }
    try {
      return await this.pullInto(folder)
    } finally {
      unlock()
    }
  }

  /** `pull` by who has the folder's lock. */
  async pullInto(folder: string): Promise<boolean> {
    const revision = await this.newerThan(readIndex(folder))
    if (revision === null) return false
    const bucket = await this.open()
    const content = await bucket.get(indexKey(revision))
    // Swept since it was listed: there is a newer one.
    if (content === null) return false
    const index = JSON.parse(content.toString()) as Index
    const missing = listedFiles(index).filter((sha256) => !isHere(folder, sha256))
    await each(missing, (sha256) => fetchFile(bucket, folder, sha256))
    writeIndex(folder, { ...index, published: { bucket: this.name, revision } })
    sweepFolder(folder, index)
    return true
  }

  /** Number of the newest index, where it is not the folder's own. */
  private async newerThan(local: Index | null): Promise<number | null> {
    const known = this.revisionIn(local)
    const bucket = await this.open()
    const found = await bucket.list(INDEXES, known === null ? undefined : indexKey(known))
    const last = found.at(-1)
    return last === undefined ? null : revisionOf(last.key)
  }

  /** Number under which an index was published here; `null` where it was not. */
  revisionIn(index: Index | null): number | null {
    return index?.published?.bucket === this.name ? index.published.revision : null
  }

  /**
   * Publishes what was built on the index `before`: its files, then the index. `anew` sends files that are there already,
   * too. Answers how it is known from now on; `null`: somebody else has published since, and nothing is lost by building
   * on that.
   */
  async publish(
    folder: string,
    index: Index,
    before: Index | null,
    { anew }: { anew: boolean },
  ): Promise<Index['published'] | null> {
    if ((await this.newerThan(before)) !== null) return null
    const bucket = await this.open()
    const known = this.revisionIn(before)
    const sent = new Set(known === null || anew || before === null ? [] : listedFiles(before))
    await each(
      listedFiles(index).filter((sha256) => !sent.has(sha256)),
      (sha256) => bucket.put(fileKey(sha256), readFileSync(join(folder, `${sha256}.duckdb.br`))),
    )
    const revision = (known ?? 0) + 1
    const { published: _before, ...content } = index
    if (!(await bucket.create(indexKey(revision), Buffer.from(JSON.stringify(content))))) return null
    await this.sweep(bucket).catch(() => {
      // What should have gone goes after the next build.
    })
    return { bucket: this.name, revision }
  }

  /** Removes old indexes, and files that none of the others lists. */
  private async sweep(bucket: Bucket): Promise<void> {
    const indexes = await bucket.list(INDEXES)
    await bucket.remove(indexes.slice(0, -KEPT_INDEXES).map(({ key }) => key))
    // Indexes of other layouts count as well: machines that are not upgraded yet read them.
    const listed = new Set<string>()
    for (const { key } of await bucket.list('index-')) {
      const content = await bucket.get(key)
      if (content !== null)
        for (const sha256 of listedFiles(JSON.parse(content.toString()) as Index)) listed.add(fileKey(sha256))
    }
    const old = Date.now() - KEEP_MS
    const files = await bucket.list('files/')
    await bucket.remove(
      files.flatMap(({ key, changedAt }) => (!listed.has(key) && changedAt.getTime() < old ? [key] : [])),
    )
  }

  /** What the bucket has, for who examines it: the newest number, `null` before the first, and how many files. */
  async examine(): Promise<{ revision: number | null; files: number }> {
    const bucket = await this.open()
    const newest = (await bucket.list(INDEXES)).at(-1)
    return {
      revision: newest === undefined ? null : revisionOf(newest.key),
      files: (await bucket.list('files/')).length,
    }
  }

  private open(): Promise<Bucket> {
    this.bucket ??= openBucket(this.settings)
    return this.bucket
  }

  async close(): Promise<void> {
    ;(await this.bucket)?.close()
  }
}

const isHere = (folder: string, sha256: string): boolean =>
  existsSync(join(folder, `${sha256}.duckdb`)) && existsSync(join(folder, `${sha256}.duckdb.br`))

/** Brings one file into the folder with its brotli twin. Throws `dataset-corrupt` where it is not what its name says. */
async function fetchFile(bucket: Bucket, folder: string, sha256: string): Promise<void> {
  const packed = await bucket.get(fileKey(sha256))
  const corrupt = new FurlongError('dataset-corrupt', { file: fileKey(sha256) })
  if (packed === null) throw corrupt
  const content = await unpack(packed).catch(() => {
    throw corrupt
  })
  if (createHash('sha256').update(content).digest('hex') !== sha256) throw corrupt
  const path = join(folder, `${sha256}.duckdb`)
  for (const [to, bytes] of [
    [`${path}.br`, packed],
    [path, content],
  ] as const) {
    const part = `${to}.${process.pid}.part`
    try {
      writeFileSync(part, bytes, { mode: 0o600 })
      renameSync(part, to)
    } finally {
      rmSync(part, { force: true })
    }
  }
}

/** Does something for each of a list, a few at once; the first failure ends it. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = [...items]
  const one = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}
