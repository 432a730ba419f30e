/**
 * Finishing times of a field in Stern's model (Stern 1990): independent, gamma distributed with one shape and a rate of
 * each runner. Chances of orders are integrals over time, computed on one grid for every field of a shape.
 */

/**
 * Shapes that can be computed, whole numbers. With shape 1 the order of finish is that of plain Harville; the larger the
 * shape, the less certain are the places behind the winner.
 */
export const SHAPE_RANGE = { least: 1, most: 32 } as const

export interface TimeGrid {
  shape: number
  times: Float64Array
  /** Weights of an integral over the logarithm of time. */
  weights: Float64Array
  /** 1 / k! for the powers below the shape, filled up with zeros to whole fours. */
  terms: Float64Array
  /** 1 / shape! */
  next: number
}

/** Finer for the smallest shapes, whose curves are less smooth beside the inner exponential. */
const STEPS: Readonly<Record<number, number>> = { 1: 0.07, 2: 0.09, 3: 0.11, 4: 0.125 }
/** Of larger shapes, times the root of the shape, by which their curves are wider on this scale. */
const LARGER_STEP = 0.055
/** Before it lie less than 1e-8 of the winner's times, of each runner the same share. */
const FIRST_AT = -1.25
const MOST_POINTS = 400
/** 1 / n: dividing takes several times as long as multiplying. */
const RECIPROCALS = Float64Array.from({ length: 64 }, (_, n) => 1 / n)
const grids = new Map<number, TimeGrid>()

/**
 * The grid of a shape: times exp((s − exp(−s)) · 4 / shape) at even steps of s. The inner exponential makes integrands
 * fall as fast to the left as they do to the right, so that the trapezoidal rule is exact to about nine digits with a
 * few dozen points (Takahasi and Mori 1974). Throws a RangeError for a shape that is not offered.
 */
export function gridOf(shape: number): TimeGrid {
  const known = grids.get(shape)
  if (known) return known
  if (!Number.isInteger(shape) || shape < SHAPE_RANGE.least || shape > SHAPE_RANGE.most)
    throw new RangeError(`no shape of finishing times: ${shape}`)
  const times = new Float64Array(MOST_POINTS)
  const weights = new Float64Array(MOST_POINTS)
  const scale = 4 / shape
  const step = STEPS[shape] ?? LARGER_STEP * Math.sqrt(shape)
  for (let point = 0; point < MOST_POINTS; point += 1) {
    const s = FIRST_AT + point * step
    times[point] = Math.exp(scale * (s - Math.exp(-s)))
    weights[point] = step * scale * (1 + Math.exp(-s))
  }
  const terms = new Float64Array(4 * Math.ceil(shape / 4))
  let next = 1
  for (let power = 0; power < shape; power += 1) {
    terms[power] = next
    next /= power + 1
  }
  const grid = { shape, times, weights, terms, next }
  grids.set(shape, grid)
  return grid
}

/**
 * Σ x^k / k! of the powers below the shape, as four sums that do not wait for each other: they take most of the time of a
 * field.
 */
export function sumBelow(terms: Float64Array, x: number): number {
  const square = x * x
  const fourth = square * square
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  for (let power = terms.length - 4; power >= 0; power -= 4) {
    s0 = s0 * fourth + terms[power]!
    s1 = s1 * fourth + terms[power + 1]!
    s2 = s2 * fourth + terms[power + 2]!
    s3 = s3 * fourth + terms[power + 3]!
  }
  return s0 + s1 * x + (s2 + s3 * x) * square
}

/** x to a whole power. */
export function toWhole(x: number, power: number): number {
  let result = 1
  let square = x
  for (let rest = power; rest > 0; rest >>= 1) {
    if (rest % 2 === 1) result *= square
    square *= square
  }
  return result
}

/** A survival of less is taken for this: products and quotients of a whole field stay finite. */
const LEAST_SURVIVAL = 1e-30
/** Where no more than this of a distribution is left, the grid ends. */
const NEGLIGIBLE = 1e-11
/** From this share of the shape on, the distribution function is 1 − survival without loss; below, it is summed. */
const SUMMED_BELOW = 1 / 4

/** Curves of a field's runners over the points of a grid, each runner's in one row of `points` values. */
export class GammaField {
  readonly size: number
  readonly points: number
  /** P(finished by a point's time). */
  readonly finished: Float64Array
  /** 1 / P(not finished). */
  readonly inverse: Float64Array
  /** Rate of finishing for those who have not, times the point's weight: summed with survivals, an integral. */
  readonly hazard: Float64Array
  /** P(not one of the field has finished). */
  readonly none: Float64Array

  /** `rates`: as `solveRates` (order-strengths.ts) returns them. */
  constructor(rates: Float64Array, grid: TimeGrid) {
    this.size = rates.length
    this.points = pointsFor(rates, grid)
    const { size, points } = this
    this.finished = new Float64Array(size * points)
    this.inverse = new Float64Array(size * points)
    this.hazard = new Float64Array(size * points)
    this.none = new Float64Array(points).fill(1)
    for (let runner = 0; runner < size; runner += 1) this.fill(runner, rates[runner]!, grid)
  }

  private fill(runner: number, rate: number, { shape, times, weights, terms, next }: TimeGrid): void {
    const { points, finished, inverse, hazard, none } = this
    const row = runner * points
    for (let point = 0; point < points; point += 1) {
      const x = rate * times[point]!
      const sum = sumBelow(terms, x)
      const term = toWhole(x, shape) * next
      const decay = Math.exp(-x)
      const survival = Math.max(LEAST_SURVIVAL, decay * sum)
      finished[row + point] = x > SUMMED_BELOW * shape ? 1 - survival : decay * restOf(term, x, shape)
      inverse[row + point] = 1 / survival
      hazard[row + point] = ((term * shape) / sum) * weights[point]!
      none[point]! *= survival
    }
  }
}

/** Σ x^k / k! of the powers from the shape on, whose term is `first`, for x of at most a quarter of it. */
function restOf(first: number, x: number, shape: number): number {
  let next = first
  let sum = first
  for (let power = shape + 1; next > sum * 1e-17; power += 1) {
    next *= x * RECIPROCALS[power]!
    sum += next
  }
  return sum
}

/** Points until the fourth has finished, or the last of a smaller field, but for a negligible chance. */
function pointsFor(rates: Float64Array, { times, terms }: TimeGrid): number {
  const weakest = rates.toSorted().subarray(0, Math.max(1, rates.length - 3))
  const isOver = (point: number): boolean => {
    let left = 1
    for (const rate of weakest) {
      const x = rate * times[point]!
      left *= Math.exp(-x) * sumBelow(terms, x)
    }
    return left < NEGLIGIBLE
  }
  let [before, over] = [-1, times.length - 1]
  while (over - before > 1) {
    const middle = (before + over) >> 1
    if (isOver(middle)) over = middle
    else before = middle
  }
  return over + 1
}
