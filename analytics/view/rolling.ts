import type { RollingWindow } from '../view-sql.ts'
import { numberOf, textOf, type AnswerRow } from '../cells.ts'
import type { PanelSpec } from './panel-spec.ts'
import { inKeyOrder } from './requests.ts'
import { countOf } from './totals.ts'

/** What a rolling line can show. */
export const ROLLING_MEASURES = ['return', 'hit_rate', 'ae_market'] as const
export type RollingMeasure = (typeof ROLLING_MEASURES)[number]

/** What the line of a panel shows: a return where the panel's measure is none of the rolling ones. */
export const rollingMeasure = ({ measures: [measure] }: Pick<PanelSpec, 'measures'>): RollingMeasure =>
  ROLLING_MEASURES.find((each) => each === measure) ?? 'return'

/** A figure of the window up to a race day, with what it is judged against. */
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

const DAY_MS = 86_400_000

/** How far each race day is along them, in the unit of a window. */
function positionsOf(days: readonly { day: string; parts: Parts }[], unit: RollingWindow['unit']): number[] {
  let bets = 0
  const first = Date.parse(days[0]?.day ?? '')
  return days.map(({ day, parts }, at) => {
    bets += parts.bets
    switch (unit) {
      case 'race-days':
        return at + 1
      case 'days':
        return (Date.parse(day) - first) / DAY_MS + 1
      case 'bets':
        return bets
    }
  })
}

/**
 * A measure over each window of consecutive race days, at the last of them: over so many race days, over those of so many days,
 * or over as few as have so many bets; none while there are fewer. It is the ratio of the sums over these days, not the mean of
 * the days' own ratios.
 *
 * ```ts
 * const day = (key: string, hits: number) => ({ key, predictions: 10, voids: 0, staked: 0, hits, chance_rate: 0.1 })
 * const rows = [day('2026-01-04', 1), day('2026-01-07', 3)]
 * rolling(rows, 'hit_rate', { length: 2, unit: 'race-days' }) // => [{ day: '2026-01-07', value: 0.2, standard: 0.1, bets: 20 }]
 * rolling(rows, 'hit_rate', { length: 10, unit: 'bets' }).map(({ value }) => value) // => [0.1, 0.3]
 * ```
 */
export function rolling(
  rows: readonly AnswerRow[],
  measure: RollingMeasure,
  { length, unit }: RollingWindow,
): RollingPoint[] {
  const days = inKeyOrder(rows).map((row) => ({ day: textOf(row, 'key'), parts: partsOf(row, measure) }))
  const positions = positionsOf(days, unit)
  const sums: Parts = { above: 0, below: 0, standardAbove: 0, standardBelow: 0, bets: 0 }
  let left = 0
  return days.flatMap(({ day, parts }, at) => {
    for (const name of NAMES) sums[name] += parts[name]
    const position = positions[at]!
    for (; position - positions[left]! >= length; left += 1)
      for (const name of NAMES) sums[name] -= days[left]!.parts[name]
    if (position < length) return []
    const value = over(sums.above, sums.below)
    return [{ day, value, standard: over(sums.standardAbove, sums.standardBelow), bets: sums.bets }]
  })
}
