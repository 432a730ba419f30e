import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { DATASET_SCHEMA } from '../../contract/dataset-paths.ts'
import { FurlongError, nullOn } from '../../domain/errors.ts'
import { openBucket, type Bucket } from '../gateways/bucket.ts'
import type { BucketSettings } from '../process/env.ts'
import { lockFolder, makePrivateFolder } from '../db/folder-lock.ts'
import { listedFiles, readIndex, replaceFile, sweepFolder, writeIndex, type Index } from './dataset-index.ts'

/** Number of files fetched or sent concurrently. */
const AT_ONCE = 4
/** Number of newest indexes kept, for readers about to read an older one. */
const RETAINED_INDEXES = 10
/**
 * How long a file not listed in any kept index stays, for readers of an older index or a machine about to
 * publish it.
 */
const KEEP_MS = 3_600_000

const unpack = promisify(brotliDecompress)

const fileKey = (sha256: string): string => `files/${sha256}.duckdb.br`
/** Builds with another schema have separate indexes, because both exist while machines are upgraded. */
const INDEXES = `index-${DATASET_SCHEMA}/`
const indexKey = (revision: number): string => `${INDEXES}${String(revision).padStart(10, '0')}.json`
const revisionOf = (key: string): number => Number(/(\d+)\.json$/.exec(key)?.[1] ?? 0)

/**
 * The dataset shared by several machines. The bucket holds each file once, named by its content, and numbered
 * indexes that are created and never changed: of two machines that publish at once, one creates the number,
 * and the other rebuilds on top of it. Each machine's folder is only a copy and may be lost.
 */
export class DatasetBucket {
  private readonly settings: BucketSettings
  private bucket: Promise<Bucket> | null = null
  private pulling: Promise<boolean> | null = null
  /** Identifies the bucket in a folder's index: revisions of another bucket are ignored. */
  private readonly name: string

  constructor(settings: BucketSettings) {
    this.settings = settings
    this.name = [settings.endpoint ?? settings.region, settings.name, settings.prefix].join(' ')
  }

  /**
   * Updates a folder to the newest published index, files first; returns whether it changed. Does nothing
   * while another process changes the folder. Throws `bucket-failed`, `dataset-corrupt`; the folder's index
   * is then unchanged.
   */
  pull(folder: string): Promise<boolean> {
    this.pulling ??= this.pullOnce(folder).finally(() => (this.pulling = null))
    return this.pulling
  }

  private async pullOnce(folder: string): Promise<boolean> {
    // The check takes no lock, because it runs often.
    if ((await this.newerThan(readIndex(folder))) === null) return false
    makePrivateFolder(folder)
    const unlock = nullOn('database-locked', () => lockFolder(folder))
    if (unlock === null) return false
    try {
      return await this.pullInto(folder)
    } finally {
      unlock()
    }
  }

  /** Like `pull`, for a caller that holds the folder's lock. */
  async pullInto(folder: string): Promise<boolean> {
    const revision = await this.newerThan(readIndex(folder))
    if (revision === null) return false
    const bucket = await this.open()
    const content = await bucket.get(indexKey(revision))
    // Deleted since it was listed: there is a newer one.
    if (content === null) return false
    const index = JSON.parse(content.toString()) as Index
    const missing = listedFiles(index).filter((sha256) => !isHere(folder, sha256))
    await each(missing, (sha256) => fetchFile(bucket, folder, sha256))
    writeIndex(folder, { ...index, published: { bucket: this.name, revision } })
    sweepFolder(folder, index)
    return true
  }

  /** Fetches files anew, for a caller that holds the folder's lock. Throws `bucket-failed`, `dataset-corrupt`. */
  async fetch(folder: string, hashes: readonly string[]): Promise<void> {
    const bucket = await this.open()
    await each(hashes, (sha256) => fetchFile(bucket, folder, sha256))
  }

  /** Revision of the newest index, `null` if the folder has it already. */
  private async newerThan(local: Index | null): Promise<number | null> {
    const known = this.revisionIn(local)
    const bucket = await this.open()
    const found = await bucket.list(INDEXES, known === null ? undefined : indexKey(known))
    const last = found.at(-1)
    return last === undefined ? null : revisionOf(last.key)
  }

  /** Revision under which an index was published in this bucket; `null` if it was not. */
  revisionIn(index: Index | null): number | null {
    return index?.published?.bucket === this.name ? index.published.revision : null
  }

  /**
   * Publishes what was built on the index `before`: its files, then the index. `anew` also sends files that
   * are already there. Returns the bucket and revision of the index; `null` if another machine has published
   * since, and then the caller builds again on top of that.
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
      // What was not deleted now is deleted after the next build.
    })
    return { bucket: this.name, revision }
  }

  /** Deletes old indexes, and files not listed in any remaining one. */
  private async sweep(bucket: Bucket): Promise<void> {
    const indexes = await bucket.list(INDEXES)
    await bucket.remove(indexes.slice(0, -RETAINED_INDEXES).map(({ key }) => key))
    // Indexes of other schemas count too: machines that are not upgraded yet read them.
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

  /** For diagnostics: the newest revision (`null` before the first) and the number of files. */
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

/**
 * Fetches one file with its brotli version into the folder. Throws `dataset-corrupt` if its content does not
 * match its name.
 */
async function fetchFile(bucket: Bucket, folder: string, sha256: string): Promise<void> {
  const packed = await bucket.get(fileKey(sha256))
  const corrupt = new FurlongError('dataset-corrupt', { file: fileKey(sha256) })
  if (packed === null) throw corrupt
  const content = await unpack(packed).catch(() => {
    throw corrupt
  })
  if (createHash('sha256').update(content).digest('hex') !== sha256) throw corrupt
  const path = join(folder, `${sha256}.duckdb`)
  replaceFile(`${path}.br`, packed, 0o600)
  replaceFile(path, content, 0o600)
}

/** Calls `work` for each item, up to `AT_ONCE` at a time; rejects with the first error. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = [...items]
  const one = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}
