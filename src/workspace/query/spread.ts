import { roundStep } from '../../widgets/chart/round-step.ts'

/** A band of values with how many there are; the first and the last also have what lies beyond them. */
export interface SpreadBand {
  from: number
  to: number
  count: number
}

export interface Spread {
  bands: SpreadBand[]
  /** Width of a band, and the first one's lower edge in widths. */
  step: number
  first: number
  mean: number
  /** Standard deviation of a sample; `null` of a single value. */
  deviation: number | null
  lowest: number
  highest: number
  /** Share of the values above 0. */
  above: number
}

/** Bands of the middle values at most. */
const MOST_BANDS = 16
/** Values beyond these quantiles are in the bands at the ends, so that a single large one does not flatten the rest. */
const TAIL = 0.02
/** A value this close below an edge, in widths of a band, is what rounding left of one on it. */
const EDGE = 1e-6

/**
 * How values are spread around 0: bands of one round width, of which 0 is an edge, with their mean and standard deviation;
 * `null` without values.
 *
 * ```ts
 * spreadOf([-10, -10, 5, 30])?.bands.map(({ from, count }) => [from, count]) // => [[-10, 2], [-5, 0], [0, 0], [5, 1], [10, 0], [15, 0], [20, 0], [25, 1]]
 * ```
 */
export function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!
  const [low, high] = [at(TAIL), at(1 - TAIL)]
  const step = roundStep((high - low || Math.abs(high) || 1) / MOST_BANDS)
  const first = Math.floor(low / step + EDGE)
  const last = Math.max(first, Math.ceil(high / step) - 1)
  const bands = Array.from({ length: last - first + 1 }, (_, index): SpreadBand => {
    const from = (first + index) * step
    return { from, to: from + step, count: 0 }
  })
  for (const value of values) {
    const index = Math.min(Math.max(Math.floor(value / step + EDGE) - first, 0), bands.length - 1)
    bands[index]!.count += 1
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {
    bands,
    step,
    first,
    mean,
    deviation: values.length < 2 ? null : Math.sqrt(squares / (values.length - 1)),
    lowest: sorted[0]!,
    highest: sorted.at(-1)!,
    above: values.filter((value) => value > 0).length / values.length,
  }
}
