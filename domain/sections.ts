/** What is known of a section of a runner's race; sections are counted from the start, from 1. */
export interface TimedSection {
  sectionNo: number
  timeMs: number | null
}

/** Difference between a runner's time and the sum of its sections that rounding can explain, in milliseconds. */
const ROUNDING_MS = 50

/**
 * A runner's times from the first section to the last, in milliseconds; `null` if one of them is unknown. `count`: how many
 * sections the race has.
 *
 * ```ts
 * completeTimes([{ sectionNo: 2, timeMs: 22500 }, { sectionNo: 1, timeMs: 25000 }], 2) // => [25000, 22500]
 * completeTimes([{ sectionNo: 1, timeMs: 25000 }], 2) // => null
 * ```
 */
export function completeTimes(sections: readonly TimedSection[], count: number): number[] | null {
  const times = Array.from(
    { length: count },
    (_, index) => sections.find(({ sectionNo }) => sectionNo === index + 1)?.timeMs ?? null,
  )
  const known = times.filter((time) => time !== null)
  return count > 0 && known.length === count ? known : null
}

/**
 * Whether sections and a runner's time can both be true: the times of all sections add up to it. Sections of which a time is
 * missing contradict nothing.
 *
 * ```ts
 * addUp([{ sectionNo: 1, timeMs: 25000 }, { sectionNo: 2, timeMs: 22500 }], 2, 47500) // => true
 * addUp([{ sectionNo: 1, timeMs: 25000 }, { sectionNo: 2, timeMs: 99990 }], 2, 47500) // => false
 * ```
 */
export function addUp(
  sections: readonly TimedSection[],
  count: number,
  finishTimeMs: number | null,
): boolean {
  const times = completeTimes(sections, count)
  if (times === null || finishTimeMs === null) return true
  return Math.abs(times.reduce((sum, time) => sum + time, 0) - finishTimeMs) <= ROUNDING_MS
}
