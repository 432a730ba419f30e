import { sessionTally } from './session-tally.ts'

const MAX_KEYS = 1000

/** Slices viewed since the last reset. */
const tally = sessionTally<{ address: string; returned: number; bets: number }>('furlong-looked-at', MAX_KEYS)

export const useViewedSlices = tally.useTally
export const resetViewedSlices = tally.reset

/** Counts a slice that is on screen; `found` is its return if it can be stated for enough bets. */
export const lookAt = (
  key: string,
  address: string,
  found: { returned: number; bets: number } | null,
): void => tally.add(key, found && { address, ...found })
