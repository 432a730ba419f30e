import { bestByChance } from '../../../domain/statistics.ts'
import { sessionTally, type Tally } from '../state/session-tally.ts'

const MAX_KEYS = 2000

interface Best {
  returned: number
  standardError: number
}

/** An older name: under another one the variants counted before would be forgotten. */
const STORED_AS = 'furlong-lab-tried'

/** Variants whose results were viewed since the last reset: the best of many looks good by chance. */
const tally = sessionTally<Best>(STORED_AS, MAX_KEYS)

export const useVariants = tally.useTally
export const resetVariants = tally.reset

/** Counts a variant that stays on screen. */
export const countVariant = tally.add

/** The best return minus what the best of that many would gain by chance alone. */
export const corrected = ({ keys, best }: Tally<Best>): number | null =>
  best === null ? null : best.returned - bestByChance(keys.length) * best.standardError
