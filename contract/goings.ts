/** Goings of turf, from the firmest. */
const TURF_GOINGS = [
  'firm',
  'good_to_firm',
  'good',
  'good_to_yielding',
  'good_to_soft',
  'yielding',
  'yielding_to_soft',
  'soft',
  'very_soft',
  'heavy',
] as const

/** Goings that have a name in every language (`locales/en/racing.json`). */
export const GOINGS = [
  ...TURF_GOINGS,
  'awt_fast',
  'awt_slow',
  'wet_fast',
  'wet_slow',
  'sealed',
  'fast',
  'slow',
  'sloppy',
  'muddy',
  'standard_to_fast',
  'standard',
  'standard_to_slow',
] as const

/**
 * Whether a going is softer (1), firmer (−1) or the same (0) as an earlier one; `null` where one of both is not known, and
 * where two different ones are not both of turf: other surfaces have no such order.
 *
 * ```ts
 * goingChange('good', 'yielding') // => 1
 * goingChange('wet_fast', 'wet_slow') // => null
 * ```
 */
export function goingChange(before: string | null, now: string | null): -1 | 0 | 1 | null {
  if (before === null || now === null) return null
  if (before === now) return 0
  const [first, second] = [before, now].map((going) => TURF_GOINGS.findIndex((each) => each === going))
  return first! < 0 || second! < 0 ? null : second! > first! ? 1 : -1
}
