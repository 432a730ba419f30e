import { LARGEST_WINS } from '../domain/largest-wins.ts'
import type { Measure } from './model.ts'
import { inOrder } from './sums.ts'

/** Returns without so many of the largest wins: how much of a return hangs on a few long shots. */
export const TRIMMED = {
  return_trimmed_1: 1,
  return_trimmed_3: 3,
  // Addresses from before there was a choice have this name.
  return_trimmed: LARGEST_WINS,
  return_trimmed_10: 10,
  return_trimmed_20: 20,
} as const
export type Trimmed = keyof typeof TRIMMED
export const TRIMMED_NAMES = Object.keys(TRIMMED) as Trimmed[]

/**
 * Whether a measure is one of them.
 *
 * ```ts
 * isTrimmed('return_trimmed_10') // => true
 * ```
 */
export const isTrimmed = (name: string): name is Trimmed => Object.hasOwn(TRIMMED, name)

/** Their measures. */
export const TRIMMED_MEASURES = Object.fromEntries(
  TRIMMED_NAMES.map((name) => [name, inOrder(name, 'share')]),
) as Record<Trimmed, Measure>
