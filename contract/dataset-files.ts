import type { DatasetFile, Manifest } from './dataset.ts'
import type { ModelId } from './model-ids.ts'

export interface FileChoice {
  regionId: string
  /** Models whose records are needed. */
  models: readonly ModelId[]
  /** Whether the user may read the whole history. */
  entitled: boolean
  /** Only the newest season, but with the names and daily totals of all seasons. */
  newestOnly?: boolean
  /** Include what is known of each starter beside its row in the record. */
  details?: boolean
  /** Include what sectional times say of each run. */
  sections?: boolean
  /** Include the files that are fetched only on demand. */
  extra?: boolean
}

/**
 * The files of a manifest that a user's queries need: those without a season, then the newest season first.
 *
 * ```ts
 * const file = { regionId: '100000', season: 2024, kind: 'record', model: 'blended' }
 * chooseFiles({ files: [file] as never }, { regionId: '100000', models: ['blended'], entitled: false }) // => []
 * ```
 */
export function chooseFiles(manifest: Pick<Manifest, 'files'>, choice: FileChoice): DatasetFile[] {
  const { regionId, models, entitled, newestOnly = false } = choice
  const { details = false, sections = false, extra = false } = choice
  const ofRegion = manifest.files.filter((file) => file.regionId === regionId)
  const newest = Math.max(...ofRegion.flatMap(({ season }) => (season === null ? [] : [season])))
  return ofRegion
    .filter((file) => {
      if (newestOnly && file.season !== null && file.season !== newest) return false
      switch (file.kind) {
        // The recent file only repeats rows of the records that an entitled user has.
        case 'recent':
          return !entitled
        case 'record':
          return entitled && file.model !== null && models.includes(file.model)
        case 'details':
          return entitled && details
        case 'sections':
          return entitled && sections
        case 'reasons':
        case 'ticks':
          return entitled && extra
        default:
          return true
      }
    })
    .toSorted((a, b) => (b.season ?? 9999) - (a.season ?? 9999))
}
