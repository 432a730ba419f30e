import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { DatasetRegion, Manifest } from '../../contract/dataset.ts'
import { fetchManifest } from './api-client.ts'

const KEY = 'user_selected_region'
const FALLBACK = '100000'
const listeners = new Set<() => void>()

export function selectRegion(id: string): void {
  localStorage.setItem(KEY, id)
  for (const listener of listeners) listener()
}

const useSavedRegion = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => localStorage.getItem(KEY) ?? FALLBACK,
  )

export const useManifest = () =>
  useQuery<Manifest>({
    queryKey: ['manifest'],
    queryFn: ({ signal }) => fetchManifest(signal),
    staleTime: 60_000,
    networkMode: 'always',
    retry: 1,
  })

/** The reader's region when it is there, else the first; `null` until the list is known. */
export function useRegion(): { region: DatasetRegion | null; regions: DatasetRegion[] } {
  const saved = useSavedRegion()
  const regions = useManifest().data?.regions ?? []
  return { region: regions.find(({ id }) => id === saved) ?? regions[0] ?? null, regions }
}
