import { useSyncExternalStore } from 'react'

const QUERY = '(min-width: 768px)'

let known: MediaQueryList | null = null
/** One for all: each is a list of its own, and every control of a page asks. */
const mediaOf = (): MediaQueryList => (known ??= matchMedia(QUERY))

function subscribe(listener: () => void): () => void {
  const media = mediaOf()
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether there is room for tables: the specification calls narrower ones mobile. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => mediaOf().matches)
