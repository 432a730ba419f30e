import type { Combination, CombinationTable } from './combination-table.ts'

/** 1 selected, 2 cautious, 3 upset guard (decisions section 2). */
export type PredictionType = 1 | 2 | 3
const PREDICTION_TYPES: readonly PredictionType[] = [1, 2, 3]

export interface ChosenCombination extends Combination {
  /** 1 is the most probable of its class. */
  rank: number
  types: PredictionType[]
}

/** Number of predictions stored per race and class, besides appended ones. */
export const STORED_PREDICTIONS = 10

/** Inputs for choosing the cautious and the upset guard predictions of a class. */
export interface TypeBasis {
  /** Field index of the favourite; `null` if there is none, and then nothing is cautious. */
  favourite: number | null
  /**
   * Decimal odds of a combination, or `null` if unknown: upset guard has the largest expected value.
   * `longest`: it is the least probable one instead, for models without odds. `none`: nothing is upset guard.
   */
  upset: ((horses: readonly number[]) => number | null) | 'longest' | 'none'
}

/**
 * The ten most probable combinations of one class, each with the types that apply to it; the combination of a
 * type that is not among them is appended. Upset guard has at least half of the top probability.
 * Deterministic for a field.
 */
export function chooseCombinations(
  table: CombinationTable,
  { favourite, upset }: TypeBasis,
): ChosenCombination[] {
  const rows = table.topRows(STORED_PREDICTIONS)
  const [selected] = rows
  if (selected === undefined) return []
  const atLeast = table.probability(selected) / 2
  const cautious = favourite === null ? null : bestWith(table, favourite)
  const guard =
    upset === 'none' ? null : upset === 'longest' ? leastOf(table, atLeast) : bestValue(table, atLeast, upset)
  for (const row of [cautious, guard]) {
    if (row !== null && !rows.includes(row)) rows.push(row)
  }
  return rows.map((row, index) => ({
    ...table.at(row),
    rank: index + 1,
    types: PREDICTION_TYPES.filter((type) => row === [selected, cautious, guard][type - 1]),
  }))
}

/** The row that `order` puts first among those that pass. */
function firstRow(
  table: CombinationTable,
  order: (a: number, b: number) => number,
  passes: (row: number) => boolean,
): number | null {
  let first: number | null = null
  for (let row = 0; row < table.length; row += 1)
    if ((first === null || order(row, first) < 0) && passes(row)) first = row
  return first
}

/** The least probable combination with at least this probability. */
const leastOf = (table: CombinationTable, atLeast: number): number | null =>
  firstRow(
    table,
    (a, b) => table.compare(b, a),
    (row) => table.probability(row) >= atLeast,
  )

/** The most probable combination with this horse. */
const bestWith = (table: CombinationTable, horse: number): number | null =>
  firstRow(
    table,
    (a, b) => table.compare(a, b),
    (row) => table.horses(row).includes(horse),
  )

function bestValue(
  table: CombinationTable,
  atLeast: number,
  oddsOf: (horses: readonly number[]) => number | null,
): number | null {
  let best: { row: number; value: number } | null = null
  for (let row = 0; row < table.length; row += 1) {
    if (table.probability(row) < atLeast) continue
    const odds = oddsOf(table.horses(row))
    if (odds === null) continue
    const value = table.probability(row) * odds
    // Ties within rounding go to the more probable combination: normalised odds give every combination
    // the same expected value.
    const gain = best === null ? 1 : value - best.value
    if (best === null || gain > 1e-9 || (gain > -1e-9 && table.compare(row, best.row) < 0)) {
      best = { row, value }
    }
  }
  return best?.row ?? null
}
