import { useSyncExternalStore } from 'react'

/** Least width with room for tables, in pixels: the specification calls narrower ones mobile. */
const TABLES = 768

/** One list a width: each is a list of its own, and every control of a page asks. */
const known = new Map<number, MediaQueryList>()

function listOf(width: number): MediaQueryList {
  const list = known.get(width) ?? matchMedia(`(min-width: ${width}px)`)
  known.set(width, list)
  return list
}

/** Whether the window has at least so many pixels; unless told, so many that there is room for tables. */
export const useWide = (width: number = TABLES): boolean =>
  useSyncExternalStore(
    (listener) => {
      const list = listOf(width)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => listOf(width).matches,
  )
