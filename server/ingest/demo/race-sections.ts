import { normal, seedOf, seededRandom } from '../../../domain/random.ts'
import type { SectionDraft } from '../../drafts/drafts.ts'

/** A finisher of a simulated race. */
export interface SimulatedFinisher {
  brand: string
  draw: number
  finishTimeMs: number
}

/** How a finisher ran: its sections, and its positions at their ends as results print them, `6 3 1`. */
export interface SimulatedRun {
  sections: SectionDraft[]
  runningPosition: string
}

const SECTION_M = 400
/** A shorter first section is run as one with the next, as over 1,650 m. */
const SHORTEST_M = 100
/** A start from the stalls costs as much time as this distance. */
const START_M = 12
/** Time behind the leader at the first call, from one place to the next; a length takes about 160 ms. */
const EARLY_GAP_MS = 110
const LENGTH_MS = 160
/** How far chance moves a runner from its style at the start, and the stall across the field. */
const EARLY_SPREAD = 0.2
const DRAW_SPREAD = 0.15

const clockMs = (ms: number): number => Math.round(ms / 10) * 10

/** Whether a horse usually leads (0) or is held up (1): the same in all its races. */
const styleOf = (brand: string): number => seededRandom(seedOf(`style ${brand}`))()

/** Metres from the start to the end of each section. */
function callsOf(distanceM: number): number[] {
  const restM = distanceM % SECTION_M
  const count = Math.floor(distanceM / SECTION_M) + (restM >= SHORTEST_M ? 1 : 0)
  return Array.from({ length: count }, (_, index) => distanceM - SECTION_M * (count - 1 - index))
}

/**
 * How the finishers of a simulated race ran, in their order: from positions that their styles, their draws and chance give
 * them to the gaps at which they finish. It has random numbers of its own, so that nothing else of the race depends on it.
 */
export function simulateSections(
  raceId: string,
  distanceM: number,
  finishers: readonly SimulatedFinisher[],
): SimulatedRun[] {
  const random = seededRandom(seedOf(`${raceId} sections`))
  const calls = callsOf(distanceM)
  const winningMs = Math.min(...finishers.map(({ finishTimeMs }) => finishTimeMs))
  const wishes = finishers.map(
    ({ brand, draw }) =>
      styleOf(brand) + (DRAW_SPREAD * (draw - 1)) / finishers.length + EARLY_SPREAD * normal(random),
  )
  const passed = calls.map((callM, index) => {
    const share = calls.length === 1 ? 1 : index / (calls.length - 1)
    const leaderMs = (winningMs * (callM + START_M)) / (distanceM + START_M)
    const gaps = finishers.map(({ finishTimeMs }, runner) => {
      const ahead = wishes.filter((wish) => wish < wishes[runner]!).length
      return (1 - share) * ahead * EARLY_GAP_MS + share * (finishTimeMs - winningMs)
    })
    const least = Math.min(...gaps)
    return gaps.map((gap) => clockMs(leaderMs + gap - least))
  })
  return finishers.map((_, runner) => runOf(passed, runner))
}

/** The run of one finisher, from the times at which all passed each call. */
function runOf(passed: readonly (readonly number[])[], runner: number): SimulatedRun {
  const sections = passed.map((times, index): SectionDraft => {
    const own = times[runner]!
    const position = 1 + times.filter((time) => time < own).length
    const others = times.filter((_, other) => other !== runner)
    const gapMs = position === 1 ? Math.min(...others) - own : own - Math.min(...times)
    const before = index === 0 ? 0 : passed[index - 1]![runner]!
    return { sectionNo: index + 1, position, margin: marginOf(gapMs), timeMs: own - before }
  })
  return { sections, runningPosition: sections.map(({ position }) => position).join(' ') }
}

const QUARTERS = ['', '1/4', '1/2', '3/4']

/** A margin as results print it: `SH`, `HD`, or lengths to the quarter. */
function marginOf(gapMs: number): string {
  const quarters = Math.round((4 * gapMs) / LENGTH_MS)
  if (gapMs === 0) return 'DH'
  if (quarters <= 1) return quarters === 0 ? 'SH' : 'HD'
  const parts = [quarters >= 4 ? String(Math.floor(quarters / 4)) : '', QUARTERS[quarters % 4]!]
  return parts.filter((part) => part !== '').join('-')
}
