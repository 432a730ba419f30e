import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useMemo } from 'react'
import type { DatasetRegion, Manifest } from '../../contract/dataset.ts'
import { lastRaceDay } from '../../contract/last-race-day.ts'
import { modelOrder, type ModelId } from '../../contract/model-ids.ts'
import { nameColumn, nameField, type Language } from '../../domain/languages.ts'
import { dayIn, racingDay, regionRules } from '../../domain/region.ts'
import { showCurrency, showScreenCurrency } from '../i18n/currency.ts'
import { fetchManifest } from './client/api-client.ts'
import { createExternalStore } from './client/create-store.ts'
import { useMinute } from './use-now.ts'
import { keyOf } from './client/call.ts'
import { onDevice } from '../storage/stored-text.ts'

/** A region's name in a language. */
export const regionName = (region: DatasetRegion, language: Language): string =>
  region[nameField(nameColumn(language))]

const KEY = 'user_selected_region'
const FALLBACK = '100000'
/** Another tab may select a region too. */
const saved = createExternalStore(
  () => onDevice.read(KEY) ?? FALLBACK,
  (notify) => {
    addEventListener('storage', notify)
    return () => removeEventListener('storage', notify)
  },
)

const currencyOf = (regionId: string): string => regionRules(regionId).currency
showCurrency(currencyOf(saved.now()))

export function selectRegion(id: string): void {
  onDevice.write(KEY, id)
  saved.notify()
  showCurrency(currencyOf(id))
}

/** Says amounts in the currency of the region that is shown. */
export function useRegionCurrency(): void {
  const id = useRegion().region?.id
  useLayoutEffect(() => {
    if (id !== undefined) showCurrency(currencyOf(id))
  }, [id])
}

/** Says amounts in the currency of a region, which need not be the reader’s, while a screen about it is shown. */
export function useCurrencyOf(regionId: string | undefined): void {
  useLayoutEffect(
    () => (regionId === undefined ? undefined : showScreenCurrency(currencyOf(regionId))),
    [regionId],
  )
}

/** The regions and files that can be opened. */
export const MANIFEST_QUERY = queryOptions<Manifest>({
  queryKey: keyOf('manifest'),
  queryFn: ({ signal }) => fetchManifest(signal),
  staleTime: 60_000,
  retry: 1,
})

/** The same, refetched at an interval if `everyMs` is given. */
export const useManifest = (everyMs: number | false = false) =>
  useQuery({ ...MANIFEST_QUERY, refetchInterval: everyMs })

/**
 * The user's region if it exists, otherwise the first; `null` until the list is known. `missing`: the saved
 * region is not in the list.
 */
export function useRegion(): { region: DatasetRegion | null; regions: DatasetRegion[]; missing: boolean } {
  const selected = saved.use()
  const regions = useManifest().data?.regions ?? []
  const found = regions.find(({ id }) => id === selected)
  return { region: found ?? regions[0] ?? null, regions, missing: regions.length > 0 && !found }
}

/** In which order the models of a region are displayed. */
export function useModelOrder(regionId: string): readonly ModelId[] {
  const headline = useManifest().data?.regions.find(({ id }) => id === regionId)?.headline
  return useMemo(() => modelOrder(headline), [headline])
}

/** The last day with results of the user's region; `null` if it has none, `undefined` until that is known. */
export function useLastRaceDay(): string | null | undefined {
  const { data } = useManifest()
  const { region } = useRegion()
  if (data === undefined) return undefined
  return region === null ? null : lastRaceDay(data.files, region.id)
}

/** The user's region with its current day; `null` until the list of regions is known. */
export function useRegionDay(): { regionId: string; today: string; from: string } | null {
  const { region } = useRegion()
  const now = useMinute()
  const today = region === null ? null : dayIn(region.timeZone, new Date(now))
  // With this day lists of coming races begin: it is the one before today while that has not ended everywhere.
  const from = region === null ? null : racingDay(region, new Date(now))
  return useMemo(
    () => (region === null || today === null || from === null ? null : { regionId: region.id, today, from }),
    [region, today, from],
  )
}
