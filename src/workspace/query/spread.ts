import type { AnswerRow } from '../../../analytics/cells.ts'
import type { Model } from '../../../analytics/model.ts'
import { MODELS } from '../../../analytics/models.ts'
import { dayValue, modelName, type DayMeasure } from '../../../analytics/view/over-days.ts'
import type { Subject } from '../../../analytics/view/view.ts'
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

/** How values are told: `show` is the text of one; `isWhole`: there are no fractions of them. */
interface Told {
  show(value: number): string
  isWhole: boolean
}

/** The round width of bands from one value to another, with the first and the last of them in widths. */
function gridOf(
  low: number,
  high: number,
  { show, isWhole }: Told,
): { step: number; first: number; last: number } {
  const gridAt = (step: number) => {
    const first = Math.floor(low / step + EDGE)
    // Bands of a single number each end with the largest.
    const end = isWhole && step === 1 ? high : Math.ceil(high / step) - 1
    return { step, first, last: Math.max(first, end) }
  }
  const hasTwins = ({ step, first, last }: ReturnType<typeof gridAt>): boolean => {
    const edges = Array.from({ length: last - first + 2 }, (_, index) => show((first + index) * step))
    return new Set(edges).size < edges.length
  }
  const finest = roundStep((high - low || Math.abs(high) || 1) / MOST_BANDS)
  let grid = gridAt(isWhole ? Math.max(1, finest) : finest)
  while (hasTwins(grid)) grid = gridAt(roundStep(1.5 * grid.step))
  return grid
}

/**
 * How values are spread around 0: bands of one round width, of which 0 is an edge and whose edges differ as they are told, with
 * their mean and standard deviation; `null` without values.
 */
function spreadOf(values: readonly number[], told: Told): Spread | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!
  const { step, first, last } = gridOf(at(TAIL), at(1 - TAIL), told)
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

/** The text of a figure. */
export type ShowFigure = (measure: DayMeasure, value: number) => string

/**
 * How a measure of race days is spread, as a reader is told it; `null` where no day has it.
 *
 * ```ts
 * const days = [8, 9, 11].map((races) => ({ races }))
 * const spread = spreadOfDays(days, { subject: 'races', measure: 'count' }, (_, value) => String(value))
 * spread?.bands.map(({ from, count }) => [from, count]) // => [[8, 1], [9, 1], [10, 0], [11, 1]]
 * ```
 */
export function spreadOfDays(
  days: readonly AnswerRow[],
  { subject, measure }: { subject: Subject; measure: DayMeasure },
  show: ShowFigure,
): Spread | null {
  const { measures }: Model = MODELS[subject]
  return spreadOf(
    days.flatMap((day) => dayValue(day, measure) ?? []),
    {
      show: (value) => show(measure, value),
      isWhole: measures[modelName(subject, measure)]?.unit === 'count',
    },
  )
}
