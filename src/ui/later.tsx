import { useDeferredValue, type ReactNode } from 'react'

/** What follows the first words of a screen: built in slices once those are there, so that a slow phone answers meanwhile. */
export function Later({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  return useDeferredValue(true, false) ? children : waiting
}
