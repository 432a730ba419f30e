import { useEffect, useMemo, useState } from 'react'
import { chooseFiles } from '../../../contract/dataset-files.ts'
import { DATASET_CACHE } from '../../../contract/dataset-paths.ts'
import type { DatasetFile, Manifest } from '../../../contract/dataset.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { openResponses } from '../../storage/stored-responses.ts'
import { useManifest, useModelOrder } from '../use-region.ts'
import { memoryLimitMb } from './engine-state.ts'

/** The rows of a model in the files of a region. */
export interface ModelFiles {
  model: ModelId
  bytes: number
  /** Bytes of the files that are not on this device. */
  missingBytes: number
}

/** The part of the engine's memory that files may take: the rest is for what statements compute. */
const SHARE_OF_FILES = 0.5

const bytesOf = (files: readonly Pick<DatasetFile, 'bytes'>[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * The files of each model that a region has, in the order `order`. `stored`: the hashes of the files on this device.
 *
 * ```ts
 * const file = { kind: 'record', regionId: '1', model: 'blended', sha256: 'a', bytes: 5 }
 * modelFiles({ files: [file] as never }, '1', ['blended', 'network'], new Set()) // => [{ model: 'blended', bytes: 5, missingBytes: 5 }]
 * ```
 */
export function modelFiles(
  { files }: Pick<Manifest, 'files'>,
  regionId: string,
  order: readonly ModelId[],
  stored: ReadonlySet<string>,
): ModelFiles[] {
  return order.flatMap((model) => {
    const own = files.filter(
      (file) => file.kind === 'record' && file.regionId === regionId && file.model === model,
    )
    const missing = own.filter(({ sha256 }) => !stored.has(sha256))
    return own.length === 0 ? [] : [{ model, bytes: bytesOf(own), missingBytes: bytesOf(missing) }]
  })
}

/**
 * Whether the files that the console opens for some models leave the engine enough of its memory; `limitMb` in MiB.
 *
 * ```ts
 * const file = { kind: 'record', regionId: '1', model: 'blended', bytes: 2 ** 20 }
 * fitsMemory({ files: [file] as never }, '1', ['blended'], 1) // => false
 * fitsMemory({ files: [file] as never }, '1', ['blended'], 2) // => true
 * ```
 */
export function fitsMemory(
  manifest: Pick<Manifest, 'files'>,
  regionId: string,
  models: readonly ModelId[],
  limitMb: number,
): boolean {
  const all = { details: true, sections: true, extra: true }
  const files = chooseFiles(manifest, { regionId, models, entitled: true, ...all })
  return bytesOf(files) <= SHARE_OF_FILES * limitMb * 2 ** 20
}

/** The hashes of the dataset files on this device. */
async function storedHashes(): Promise<Set<string>> {
  const cache = await openResponses(DATASET_CACHE)
  const requests = (await cache?.keys()) ?? []
  return new Set(requests.flatMap(({ url }) => /([0-9a-f]{64})\.duckdb$/.exec(url)?.[1] ?? []))
}

/**
 * The models of a region with what loading each takes, and whether some of them fit in memory together; `null` until that
 * is known. `opened`: changes when other files are opened.
 */
export function useModelFiles(regionId: string, opened: number | null) {
  const { data: manifest } = useManifest()
  const order = useModelOrder(regionId)
  const [stored, setStored] = useState<ReadonlySet<string> | null>(null)
  useEffect(() => {
    let gone = false
    void storedHashes()
      .catch(() => new Set<string>())
      .then((hashes) => {
        if (!gone) setStored(hashes)
      })
    return () => {
      gone = true
    }
  }, [opened, manifest])
  return useMemo(() => {
    if (!manifest || stored === null) return null
    return {
      models: modelFiles(manifest, regionId, order, stored),
      fits: (models: readonly ModelId[]): boolean => fitsMemory(manifest, regionId, models, memoryLimitMb()),
    }
  }, [manifest, stored, regionId, order])
}
