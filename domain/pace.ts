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
 * The par of each of `count` sections, in milliseconds; `null` where there is none. `samples`: those of the race, by section.
 *
 * ```ts
 * parsOf([{ sectionNo: 2, allMs: 24000, allRaces: 9, sameMs: null, sameRaces: 0 }], 2) // => [null, 24000]
 * ```
 */
export const parsOf = (
  samples: readonly (ParSample & { sectionNo: number })[],
  count: number,
): (number | null)[] =>
  Array.from({ length: count }, (_, index) => {
    const sample = samples.find(({ sectionNo }) => sectionNo === index + 1)
    return sample === undefined ? null : parOf(sample)
  })

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

/** A runner's time over a part of a race and the par of that part, in milliseconds. */
export interface PartOfRace {
  timeMs: number
  parMs: number
}

/** What the sections of a race say of it: how many it has, its distance, and the par of each in milliseconds, if it has one. */
interface RaceOfSections {
  count: number
  distanceM: number | null
  pars: readonly (number | null)[]
}

/**
 * A runner's part before the last 800 m, and its last section, with their pars. `null` where a time of the race or a par of
 * the part is missing; without a section before the last 800 m no part is early.
 *
 * ```ts
 * const sections = [25000, 24000, 23000].map((timeMs, index) => ({ sectionNo: index + 1, timeMs }))
 * partsAgainstPar(sections, { count: 3, distanceM: 1200, pars: [25250, null, 23500] }).late // => { timeMs: 23000, parMs: 23500 }
 * ```
 */
export function partsAgainstPar(
  sections: readonly TimedSection[],
  { count, pars }: RaceOfSections,
): { early: PartOfRace | null; late: PartOfRace | null } {
  const times = completeTimes(sections, count)
  if (times === null) return { early: null, late: null }
  const earlyCount = count - LATE_SECTIONS
  const early = pars.slice(0, Math.max(0, earlyCount)).filter((par) => par !== null)
  const isKnown = earlyCount > 0 && early.length === earlyCount
  const late = pars[count - 1] ?? null
  return {
    early: isKnown ? { timeMs: sum(times.slice(0, earlyCount)), parMs: sum(early) } : null,
    late: late === null ? null : { timeMs: times[count - 1]!, parMs: late },
  }
}

/**
 * The pace figures of a runner. `pars`: of each section in milliseconds, `null` where there is none; `count`: how many
 * sections the race has.
 *
 * ```ts
 * const sections = [25000, 24000, 23000].map((timeMs, index) => ({ sectionNo: index + 1, timeMs }))
 * paceFigures(sections, { count: 3, distanceM: 1200, pars: [25250, 24000, 23000] }).earlyPace // => 1
 * ```
 */
export function paceFigures(sections: readonly TimedSection[], race: RaceOfSections): PaceFigures {
  const times = completeTimes(sections, race.count)
  const lengths = sectionLengths(race.distanceM, race.count)
  const { early, late } = partsAgainstPar(sections, race)
  return {
    finishingSpeed:
      times === null || lengths === null || race.count < 2 ? null : finishingSpeed(times, lengths),
    earlyPace: early && againstPar(early.timeMs, early.parMs),
    latePace: late && againstPar(late.timeMs, late.parMs),
  }
}
