import { numberOf, textOf, type AnswerRow } from '../../data/analytics/cells.ts'
import type { PanelSpec } from '../state/panel-spec.ts'
import { inKeyOrder } from './requests.ts'
import { countOf } from './totals.ts'

/** What a line over the last race days can show. */
export const ROLLING_MEASURES = ['return', 'hit_rate', 'ae_market'] as const
export type RollingMeasure = (typeof ROLLING_MEASURES)[number]

/** What the line of a panel shows: a return where the panel's measure is none of the rolling ones. */
export const rollingMeasure = ({ measures: [measure] }: Pick<PanelSpec, 'measures'>): RollingMeasure =>
  ROLLING_MEASURES.find((each) => each === measure) ?? 'return'

/** A figure of the race days up to one, with what it is judged against. */
export interface RollingPoint {
  day: string
  /** `null` without a bet in the window. */
  value: number | null
  standard: number | null
  /** Bets placed. */
  bets: number
}

interface Parts {
  above: number
  below: number
  standardAbove: number
  standardBelow: number
  bets: number
}

/** What a day adds to the ratio of a measure and to that of its standard: no profit, the market's expectation, or chance. */
function partsOf(row: AnswerRow, measure: RollingMeasure): Parts {
  const bets = countOf(row) - numberOf(row, 'voids')
  const staked = numberOf(row, 'staked')
  switch (measure) {
    case 'return':
      return { above: numberOf(row, 'profit'), below: staked, standardAbove: 0, standardBelow: staked, bets }
    case 'hit_rate':
      return {
        above: numberOf(row, 'hits'),
        below: bets,
        standardAbove: bets === 0 ? 0 : numberOf(row, 'chance_rate') * bets,
        standardBelow: bets,
        bets,
      }
    case 'ae_market': {
      const expected = numberOf(row, 'expected_market')
      return {
        above: numberOf(row, 'market_hits'),
        below: expected,
        standardAbove: expected,
        standardBelow: expected,
        bets,
      }
    }
  }
}

const NAMES = ['above', 'below', 'standardAbove', 'standardBelow', 'bets'] as const
const over = (above: number, below: number): number | null => (below > 0 ? above / below : null)

/**
 * A measure over each `window` consecutive race days, at the last of them; none if there are fewer. It is the ratio of the
 * sums over these days, not the mean of the days' own ratios.
 *
 * ```ts
 * const day = (key: string, hits: number) => ({ key, predictions: 10, voids: 0, hits, chance_rate: 0.1 })
 * rolling([day('2026-01-04', 1), day('2026-01-07', 3)], 'hit_rate', 2) // => [{ day: '2026-01-07', value: 0.2, standard: 0.1, bets: 20 }]
 * ```
 */
export function rolling(rows: readonly AnswerRow[], measure: RollingMeasure, window: number): RollingPoint[] {
  const days = inKeyOrder(rows).map((row) => ({ day: textOf(row, 'key'), parts: partsOf(row, measure) }))
  const sums: Parts = { above: 0, below: 0, standardAbove: 0, standardBelow: 0, bets: 0 }
  return days.flatMap(({ day, parts }, at) => {
    const left = days[at - window]?.parts
    for (const name of NAMES) sums[name] += parts[name] - (left?.[name] ?? 0)
    if (at < window - 1) return []
    const value = over(sums.above, sums.below)
    return [{ day, value, standard: over(sums.standardAbove, sums.standardBelow), bets: sums.bets }]
  })
}
