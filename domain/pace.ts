import { completeTimes, type TimedSection } from './sections.ts'

/** Length of the sections before the post, in metres, as the Hong Kong Jockey Club measures them. */
const SECTION_M = 400

/**
 * Lengths of a race's sections from the start, in metres: the last ones are 400 m each, the first has the remainder (Hong
 * Kong Jockey Club, results by section). `null` if so many sections do not fit into the distance.
 *
 * ```ts
 * sectionLengths(1400, 4) // => [200, 400, 400, 400]
 * sectionLengths(1650, 4) // => [450, 400, 400, 400]
 * sectionLengths(1000, 4) // => null
 * ```
 */
export function sectionLengths(distanceM: number | null, count: number): number[] | null {
  const firstM = (distanceM ?? 0) - SECTION_M * (count - 1)
  if (count < 1 || firstM <= 0) return null
  return [firstM, ...Array.from({ length: count - 1 }, () => SECTION_M)]
}

/**
 * Mean speed over a length, in metres a second.
 *
 * ```ts
 * speedOf(400, 25000) // => 16
 * ```
 */
export const speedOf = (lengthM: number, timeMs: number): number => lengthM / (timeMs / 1000)

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/**
 * Finishing speed in percent: the runner's mean speed in the last section against its mean speed over the whole race
 * (Timeform, “Sectional timing: an introduction”, S. Rowlands). 100: an even pace; above: it ran the end faster than the
 * whole. `times` in milliseconds and `lengths` in metres, by section.
 *
 * ```ts
 * finishingSpeed([25000, 24000, 23000], [400, 400, 400]) // => 104.34782608695652
 * ```
 */
export function finishingSpeed(times: readonly number[], lengths: readonly number[]): number {
  const last = speedOf(lengths.at(-1)!, times.at(-1)!)
  return (100 * last) / speedOf(sum(lengths), sum(times))
}

/** Means of the field's median time of a section over earlier races, in milliseconds, and how many races they are of. */
export interface ParSample {
  /** At the racecourse, surface and distance. */
  allMs: number
  allRaces: number
  /** Those of them with the same rails and going; `null` if there are none. */
  sameMs: number | null
  sameRaces: number
}

/** Fewer races at a racecourse, surface and distance make no par. */
const FEWEST_PAR_RACES = 5

/** As many races with any rails and going count beside those with the same. */
const SHRINKING_RACES = 10

/**
 * The par of a section, in milliseconds: the mean over earlier races at the same racecourse, surface and distance of the
 * field's median time. Races with the same rails and going decide as far as there are enough: their mean is shrunk to that of
 * all, as if ten of these were added. `null` with fewer than five races. The caller's sample ends on the day before the race.
 * The definition is ours: published pars, such as the Jockey Club's standard times, are by class, and not by section.
 *
 * ```ts
 * parOf({ allMs: 24000, allRaces: 40, sameMs: 23400, sameRaces: 5 }) // => 23800
 * parOf({ allMs: 24000, allRaces: 4, sameMs: null, sameRaces: 0 }) // => null
 * ```
 */
export function parOf({ allMs, allRaces, sameMs, sameRaces }: ParSample): number | null {
  if (allRaces < FEWEST_PAR_RACES) return null
  if (sameMs === null) return allMs
  return (sameRaces * sameMs + SHRINKING_RACES * allMs) / (sameRaces + SHRINKING_RACES)
}

/**
 * How much faster than par a part of a race was run, in percent of the speed: positive is faster.
 *
 * ```ts
 * againstPar(24000, 24240) // => 1
 * ```
 */
export const againstPar = (timeMs: number, parMs: number): number => 100 * (parMs / timeMs - 1)

/** What sections say of how a runner ran, in percent; `null` where a time, a length or a par is missing. */
export interface PaceFigures {
  finishingSpeed: number | null
  /** Of the part before the last 800 m, and of the last section, against par. */
  earlyPace: number | null
  latePace: number | null
}

/** The last sections that are not early. */
const LATE_SECTIONS = 2

/**
 * The pace figures of a runner. `pars`: of each section in milliseconds, `null` where there is none; `count`: how many
 * sections the race has.
 *
 * ```ts
 * const sections = [25000, 24000, 23000].map((timeMs, index) => ({ sectionNo: index + 1, timeMs }))
 * paceFigures(sections, { count: 3, distanceM: 1200, pars: [25250, 24000, 23000] }).earlyPace // => 1
 * ```
 */
export function paceFigures(
  sections: readonly TimedSection[],
  { count, distanceM, pars }: { count: number; distanceM: number | null; pars: readonly (number | null)[] },
): PaceFigures {
  const times = completeTimes(sections, count)
  const lengths = sectionLengths(distanceM, count)
  if (times === null) return { finishingSpeed: null, earlyPace: null, latePace: null }
  const early = pars.slice(0, count - LATE_SECTIONS).filter((par) => par !== null)
  const late = pars[count - 1] ?? null
  const isKnown = count > LATE_SECTIONS && early.length === count - LATE_SECTIONS
  return {
    finishingSpeed: lengths === null || count < 2 ? null : finishingSpeed(times, lengths),
    earlyPace: isKnown ? againstPar(sum(times.slice(0, count - LATE_SECTIONS)), sum(early)) : null,
    latePace: late === null ? null : againstPar(times[count - 1]!, late),
  }
}
