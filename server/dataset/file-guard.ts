import { statSync } from 'node:fs'
import { join } from 'node:path'
import { nullOn } from '../../domain/errors.ts'
import { lockFolder } from '../db/folder-lock.ts'
import type { DatasetBucket } from './dataset-bucket.ts'
import { datasetFolder, readManifest } from './dataset-index.ts'
import { isUndamaged } from './duckdb-file.ts'

/** Bytes that one run reads: a large dataset is read in an hour, at less than a hundredth of a core. */
const BYTES_A_RUN = 4_000_000

/**
 * Compares the listed dataset files with their hashes while they are served, a few at a time, those first whose turn was
 * longest ago. A damaged one is no longer served.
 */
export class FileGuard {
  readonly #dataFolder: string
  readonly #damaged = new Set<string>()
  /** Hashes of files in the order in which they were compared. */
  readonly #compared = new Set<string>()

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder
  }

  /** The number of listed files that are damaged, as far as is known. */
  get damaged(): number {
    return this.#damaged.size
  }

  isDamaged(sha256: string): boolean {
    return this.#damaged.has(sha256)
  }

  /** Compares these files in the next run. */
  suspect(hashes: readonly string[]): void {
    for (const sha256 of hashes) this.#compared.delete(sha256)
  }

  /** Compares the next files. Returns the hashes of those that are damaged. */
  async run(): Promise<string[]> {
    const folder = datasetFolder(this.#dataFolder)
    const listed = new Set(readManifest(this.#dataFolder)?.files.map(({ sha256 }) => sha256))
    for (const sha256 of [...this.#compared, ...this.#damaged]) if (!listed.has(sha256)) this.#forget(sha256)
    const found: string[] = []
    let bytes = 0
    for (const sha256 of this.#inTurn(listed)) {
      if (bytes >= BYTES_A_RUN) break
      bytes += statSync(join(folder, `${sha256}.duckdb`), { throwIfNoEntry: false })?.size ?? 0
      const isWhole = await isUndamaged(folder, sha256)
      this.#compared.delete(sha256)
      this.#compared.add(sha256)
      if (isWhole) this.#damaged.delete(sha256)
      // A build may have replaced it while it was read.
      else if (readManifest(this.#dataFolder)?.files.some((file) => file.sha256 === sha256)) {
        this.#damaged.add(sha256)
        found.push(sha256)
      }
    }
    return found
  }

  /** Damaged ones first, to notice that they are whole again; then those that were not compared yet, then the others. */
  #inTurn(listed: ReadonlySet<string>): string[] {
    const others = [...listed].filter((sha256) => !this.#compared.has(sha256))
    return [...new Set([...this.#damaged, ...others, ...this.#compared])]
  }

  #forget(sha256: string): void {
    this.#compared.delete(sha256)
    this.#damaged.delete(sha256)
  }
}

/** Fetches damaged files again from the bucket; returns whether all are there again. */
export async function fetchAgain(
  bucket: DatasetBucket,
  dataFolder: string,
  hashes: readonly string[],
): Promise<boolean> {
  const folder = datasetFolder(dataFolder)
  const unlock = nullOn('database-locked', () => lockFolder(folder))
  if (unlock === null) return false
  try {
    await bucket.fetch(folder, hashes)
    return true
  } finally {
    unlock()
  }
}
