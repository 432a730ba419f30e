import { parseRaceId } from './race-id.ts'

/**
 * Outlines of racecourses, for sketches. Straights and widths by rail are those of the Hong Kong Jockey Club's page on its
 * courses (hkjc.com/chinese/racinginfo/racing_course.htm). What that page does not tell is assumed here: the round of the
 * innermost rail, straights that are parallel, bends that are half circles, and how far the straight goes on behind the
 * post. Both racecourses are run clockwise.
 */
interface Ground {
  /** Of the innermost rail; assumed. */
  roundM: number
  /** By the position of the rail: from the last bend to the winning post, and the width. */
  rails: Readonly<Record<string, readonly [straightM: number, widthM: number]>>
  /** The distance that is run on the straight alone, from a chute before it. */
  straightRaceM?: number
}

/** Where the straight goes on behind the post, in metres; assumed. */
const RUN_OUT_M = 40

const SHA_TIN: Readonly<Record<string, Ground>> = {
  turf: {
    roundM: 1900,
    rails: {
      A: [430, 30.5],
      'A+2': [430, 28.5],
      'A+3': [430, 27.5],
      B: [430, 26],
      'B+2': [430, 24],
      C: [430, 21.3],
      'C+3': [430, 18.3],
    },
    straightRaceM: 1000,
  },
  awt: { roundM: 1560, rails: { '': [365, 22.8] } },
}

const HAPPY_VALLEY: Readonly<Record<string, Ground>> = {
  turf: {
    roundM: 1450,
    rails: {
      A: [312, 30.5],
      'A+2': [310, 28.5],
      B: [338, 26.5],
      'B+2': [338, 24.5],
      'B+3': [338, 23.5],
      C: [334, 22.5],
      'C+3': [335, 19.5],
    },
  },
}

/** By racecourses, all of `isMeasured`. */
const GROUNDS: Readonly<Record<string, Readonly<Record<string, Ground>>>> = {
  HKSHT: SHA_TIN,
  HKHAV: HAPPY_VALLEY,
}

/** An oval with two straights and two half circles, around the origin; lengths in metres along its inner rail. */
export interface CourseOutline {
  /** Length of each of the two straights of the oval. */
  sideM: number
  radiusM: number
  widthM: number
  /** How much further in the innermost rail is; 0 where this one is it. */
  movedM: number
  /** From the last bend to the winning post. */
  straightM: number
  straightRaceM: number | null
}

/** The outline of the course that a race is run on; `null` if its measures are not known. */
export function outlineOf(race: {
  raceId: string
  trackType: string | null
  course: string | null
}): CourseOutline | null {
  const ground = GROUNDS[parseRaceId(race.raceId).stadium]?.[race.trackType ?? '']
  const rail = ground?.rails[race.trackType === 'turf' ? (race.course ?? '') : '']
  if (!ground || !rail) return null
  const [straightM, widthM] = rail
  const all = Object.values(ground.rails)
  const sideM = Math.max(...all.map(([straight]) => straight)) + RUN_OUT_M
  const movedM = Math.max(...all.map(([, width]) => width)) - widthM
  return {
    sideM,
    radiusM: (ground.roundM - 2 * sideM) / (2 * Math.PI) + movedM,
    widthM,
    movedM,
    straightM,
    straightRaceM: ground.straightRaceM ?? null,
  }
}

export const roundOf = ({ sideM, radiusM }: CourseOutline): number => 2 * sideM + 2 * Math.PI * radiusM

/** Metres to the right and down from the middle of the oval; the home straight is at the bottom and is run to the left. */
export interface CoursePoint {
  x: number
  y: number
}

/** A point on the rail moved away from the middle of the oval, in metres; towards it if negative. */
export function pointOutside(
  { sideM, radiusM }: CourseOutline,
  { x, y }: CoursePoint,
  byM: number,
): CoursePoint {
  const half = sideM / 2
  // On the straights and on the chute before one the rail runs across.
  const from = Math.abs(x) <= half || Math.abs(y) >= radiusM ? x : Math.sign(x) * half
  const length = Math.hypot(x - from, y)
  return { x: x + ((x - from) / length) * byM, y: y + (y / length) * byM }
}

/** Room around the course for words, in metres. */
const MARGIN_M = 75

/** The rectangle of a drawing, in metres. */
export interface CourseFrame {
  x: number
  y: number
  width: number
  height: number
}

/** The rectangle that holds a course, with the chute of starts that are right of it. */
export function courseFrame(
  { sideM, radiusM, widthM }: CourseOutline,
  starts: readonly CoursePoint[],
): CourseFrame {
  const side = sideM / 2 + radiusM + widthM
  const x = -(side + MARGIN_M)
  const y = -(radiusM + widthM + MARGIN_M)
  const right = Math.max(side, ...starts.map((start) => start.x)) + MARGIN_M
  return { x, y, width: right - x, height: -2 * y }
}

/** Where the winning post is on the home straight. */
const postOf = ({ sideM, straightM }: CourseOutline): number => sideM / 2 - straightM

/**
 * The place on the inner rail that is a distance before the winning post, in metres along the rail; a distance of more
 * than a round passes the post.
 */
export function pointBefore(outline: CourseOutline, distanceM: number): CoursePoint {
  const { sideM, radiusM, straightM } = outline
  const half = sideM / 2
  const bend = Math.PI * radiusM
  let left = distanceM % roundOf(outline)
  if (left <= straightM) return { x: postOf(outline) + left, y: radiusM }
  left -= straightM
  if (left <= bend) return onBend(half, radiusM, Math.PI / 2 - left / radiusM)
  left -= bend
  if (left <= sideM) return { x: half - left, y: -radiusM }
  left -= sideM
  if (left <= bend) return onBend(-half, radiusM, -Math.PI / 2 - left / radiusM)
  return { x: -half + left - bend, y: radiusM }
}

const onBend = (x: number, radiusM: number, angle: number): CoursePoint => ({
  x: x + radiusM * Math.cos(angle),
  y: radiusM * Math.sin(angle),
})

/** Distance between the points of a way, in metres: bends look round. */
const STEP_M = 15

/** The way from the start of a race to the winning post; a race of more than a round passes it on the way. */
export function wayOf(outline: CourseOutline, distanceM: number): CoursePoint[] {
  if (distanceM === outline.straightRaceM)
    return [
      { x: postOf(outline) + distanceM, y: outline.radiusM },
      { x: postOf(outline), y: outline.radiusM },
    ]
  const steps = Math.ceil(distanceM / STEP_M)
  return Array.from({ length: steps + 1 }, (_, step) =>
    pointBefore(outline, (distanceM * (steps - step)) / steps),
  )
}
