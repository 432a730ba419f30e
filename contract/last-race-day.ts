import type { DatasetFile } from './dataset.ts'

/**
 * The last day with results among the dataset's files of a region, `yyyy-mm-dd`; `null` if it has none.
 *
 * @example
 * ```ts
 * lastRaceDay([{ kind: 'racing', regionId: '100000', to: '2026-01-28' }], '100000') // => '2026-01-28'
 * ```
 */
export function lastRaceDay(
  files: readonly Pick<DatasetFile, 'kind' | 'regionId' | 'to'>[],
  regionId: string,
): string | null {
  let last: string | null = null
  for (const { kind, regionId: region, to } of files)
    if (kind === 'racing' && region === regionId && to !== null && (last === null || to > last)) last = to
  return last
}
