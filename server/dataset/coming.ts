import { PREDICTIONS } from '../../analytics/predictions.ts'
import type { Access } from '../../analytics/source.ts'
import type { Manifest } from '../../contract/dataset.ts'
import type { FileSet } from '../analytics/analytics-service.ts'
import type { ComingFiles } from './coming-file.ts'

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
