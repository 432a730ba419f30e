import { useDeferredValue, type ReactNode } from 'react'

/**
 * Content below a screen's first texts: rendered in slices after those are shown, so that a
 * slow phone stays responsive.
 */
export function Deferred({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  return useDeferredValue(true, false) ? children : waiting
}
