import type { DatasetFile, Manifest } from './dataset.ts'
import type { ModelId } from './model-ids.ts'

export interface FileChoice {
  regionId: string
  /** Model whose records are wanted; `null`: none. */
  model: ModelId | null
  /** Whether the reader may have the whole history. */
  entitled: boolean
  /** Only the newest season; names and daily totals are of all. */
  newestOnly?: boolean
  /** Files that are asked for on demand. */
  extra?: boolean
}

/** The files of a manifest that answer a reader's questions, the newest season first. */
export function chooseFiles(manifest: Pick<Manifest, 'files'>, choice: FileChoice): DatasetFile[] {
  const { regionId, model, entitled, newestOnly = false, extra = false } = choice
  const ofRegion = manifest.files.filter((file) => file.regionId === regionId)
  const newest = Math.max(...ofRegion.flatMap(({ season }) => (season === null ? [] : [season])))
  return ofRegion
    .filter((file) => {
      if (newestOnly && file.season !== null && file.season !== newest) return false
      switch (file.kind) {
        // The recent file repeats what an entitled reader's records have.
        case 'recent':
          return !entitled
        case 'record':
          return entitled && file.model === model
        case 'reasons':
        case 'ticks':
          return entitled && extra
        default:
          return true
      }
    })
    .toSorted((a, b) => (b.season ?? 9999) - (a.season ?? 9999))
}
