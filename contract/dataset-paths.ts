/** Version of the tables in dataset files; a client opens only files of its own version. */
export const DATASET_SCHEMA = 12
export const DATASET_KINDS = [
  'reference',
  'racing',
  'record',
  'details',
  'sections',
  'reasons',
  'ticks',
  'recent',
] as const
export const ENTITLEMENTS = ['public', 'member'] as const

export const MANIFEST_PATH = 'dataset/manifest.json'
/** Cache API: the manifest of the last visit, shared by the page and the engine. */
export const MANIFEST_CACHE = 'furlong-manifest'
/** Cache API: dataset files on the device; a header of each names its entitlement. */
export const DATASET_CACHE = 'furlong-dataset'
export const ENTITLEMENT_HEADER = 'x-furlong-entitlement'

/**
 * Path of a dataset file relative to the site's base URL.
 *
 * ```ts
 * datasetPath({ sha256: 'abc' }) // => 'dataset/abc.duckdb'
 * ```
 */
export const datasetPath = ({ sha256 }: { sha256: string }): string => `dataset/${sha256}.duckdb`
