import type { Card } from './history.ts'
import { FEATURES } from './catalogue.ts'
import { lookBack } from './look-back.ts'
import type { FeatureState } from './state.ts'

export const FEATURE_COUNT = FEATURES.length

/**
 * The features of a racecard's starters, from a state that ends before its day: starters × features, row by
 * row, each relative to the mean of the race's known values. Unknown values, and values equal for all
 * starters, are 0.
 */
export function computeFeatures(state: FeatureState, card: Card): Float64Array {
  const seen = lookBack(state, card)
  const values = new Float64Array(seen.length * FEATURE_COUNT)
  for (const [column, { of }] of FEATURES.entries()) {
    const raw = seen.map(of)
    let sum = 0
    let known = 0
    for (const value of raw) {
      if (value === null) continue
      sum += value
      known += 1
    }
    const mean = known === 0 ? 0 : sum / known
    for (const [row, value] of raw.entries()) {
      values[row * FEATURE_COUNT + column] = value === null ? 0 : value - mean
    }
  }
  return values
}
