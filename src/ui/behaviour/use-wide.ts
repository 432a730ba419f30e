import { useSyncExternalStore } from 'react'

/** Minimum width for tables, in pixels: the specification calls narrower screens mobile. */
const TABLES = 768

/** One list per width, shared because every control on a page uses it. */
const known = new Map<number, MediaQueryList>()

function listOf(width: number): MediaQueryList {
  const list = known.get(width) ?? matchMedia(`(min-width: ${width}px)`)
  known.set(width, list)
  return list
}

/** Whether the window has at least the given width in pixels; by default, the width for tables. */
export const useWide = (width: number = TABLES): boolean =>
  useSyncExternalStore(
    (listener) => {
      const list = listOf(width)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => listOf(width).matches,
  )
