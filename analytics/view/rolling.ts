import type { RollingWindow } from '../view-sql.ts'
import { numberOf, textOf, type AnswerRow } from '../cells.ts'
import type { ModelName } from '../models.ts'
import { modelName, termsOf, type DayMeasure } from './over-days.ts'
import { inKeyOrder } from './requests.ts'
import { standardOf } from './standards.ts'
import { countOf, stakedOf } from './totals.ts'

/** A figure of the window up to a race day, with what it is judged against. */
export interface RollingPoint {
  day: string
  /** `null` where nothing in the window has the figure. */
  value: number | null
  /** `null` also where only the size of the figure matters. */
  standard: number | null
  /** Bets placed. */
  bets: number
}

/** The terms of a ratio, added up over days; `known`: the days that have a denominator, or a bet of known profit. */
interface Terms {
  above: number
  below: number
  known: number
}

/** What a day adds to a measure; a sum is over its stakes, or 1 where it has none. */
function termsIn(row: AnswerRow, subject: ModelName, name: string): Terms {
  const { above, below } = termsOf(subject, name)
  if (!(above in row)) return { above: 0, below: 0, known: 0 }
  const over = below ?? stakedOf(name)
  const under = over === null ? 1 : numberOf(row, over)
  return { above: numberOf(row, above), below: under, known: under > 0 ? 1 : 0 }
}

interface Day {
  day: string
  bets: number
  value: Terms
  standard: Terms
}

const DAY_MS = 86_400_000

/** How far each race day is along them, in the unit of a window. */
function positionsOf(days: readonly Day[], unit: RollingWindow['unit']): number[] {
  let bets = 0
  const first = Date.parse(days[0]?.day ?? '')
  return days.map(({ day, bets: placed }, at) => {
    bets += placed
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

const NAMES = ['above', 'below', 'known'] as const

function add(sums: Terms, terms: Terms, sign: 1 | -1): void {
  for (const name of NAMES) sums[name] += sign * terms[name]
}

/** A ratio of the sums of a window, or its sum. */
function valueOf({ above, below, known }: Terms, isRatio: boolean): number | null {
  // Without any, the differences of sums are what rounding leaves.
  if (known === 0) return null
  return isRatio ? above / below : above
}

/** What a line shows of which subject. */
interface Rolled {
  subject: ModelName
  measure: DayMeasure
}

/**
 * A measure over each window of consecutive race days, at the last of them: over so many race days, over those of so many days,
 * or over as few as have so many bets; none while there are fewer. It is the ratio of the sums over these days, not the mean of
 * the days' own ratios, or their sum.
 *
 * ```ts
 * const sums = { voids: 0, hit_rate_denominator: 10, chance_rate_numerator: 1, chance_rate_denominator: 10 }
 * const day = (key: string, hits: number) => ({ key, predictions: 10, hit_rate_numerator: hits, ...sums })
 * const rows = [day('2026-01-04', 1), day('2026-01-07', 3)]
 * const rolled = { subject: 'predictions', measure: 'hit_rate' }
 * rolling(rows, rolled, { length: 2, unit: 'race-days' }) // => [{ day: '2026-01-07', value: 0.2, standard: 0.1, bets: 20 }]
 * rolling(rows, rolled, { length: 10, unit: 'bets' }).map(({ value }) => value) // => [0.1, 0.3]
 * ```
 */
export function rolling(
  rows: readonly AnswerRow[],
  { subject, measure }: Rolled,
  { length, unit }: RollingWindow,
): RollingPoint[] {
  const name = modelName(subject, measure)
  const against = standardOf(measure)?.value ?? null
  const other = typeof against === 'string' ? against : null
  const days = inKeyOrder(rows).map((row): Day => ({
    day: textOf(row, 'key'),
    bets: countOf(row) - numberOf(row, 'voids'),
    value: termsIn(row, subject, name),
    standard: other === null ? { above: 0, below: 0, known: 0 } : termsIn(row, subject, other),
  }))
  const positions = positionsOf(days, unit)
  const isRatio = termsOf(subject, name).below !== null
  const [value, standard] = [
    { above: 0, below: 0, known: 0 },
    { above: 0, below: 0, known: 0 },
  ]
  let [left, bets] = [0, 0]
  const move = (day: Day, sign: 1 | -1): void => {
    add(value, day.value, sign)
    add(standard, day.standard, sign)
    bets += sign * day.bets
  }
  return days.flatMap((day, at) => {
    move(day, 1)
    const position = positions[at]!
    for (; position - positions[left]! >= length; left += 1) move(days[left]!, -1)
    if (position < length) return []
    const beside = typeof against === 'number' ? against : valueOf(standard, true)
    return [{ day: day.day, value: valueOf(value, isRatio), standard: beside, bets }]
  })
}
