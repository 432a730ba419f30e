import { toShares } from './exponent.ts'

/** Races laid out for fitting: the starters of all races one after another. */
export interface FieldData {
  /** Index of each race's first starter, plus the total at the end. */
  starts: Int32Array
  /** Feature values, starters × `width`, row by row. */
  values: Float64Array
  width: number
  /** Row of each race's winner and second; -1 if there is no single such horse. */
  first: Int32Array
  second: Int32Array
}

/** The races `from` to `to` (excluded); `values` is a view of the same memory. */
export function racesOf(data: FieldData, from: number, to: number): FieldData {
  const base = data.starts[from]!
  const end = data.starts[to]!
  const row = (value: number): number => (value < 0 ? -1 : value - base)
  return {
    starts: data.starts.slice(from, to + 1).map((start) => start - base),
    values: data.values.subarray(base * data.width, end * data.width),
    width: data.width,
    first: data.first.slice(from, to).map(row),
    second: data.second.slice(from, to).map(row),
  }
}

/** Writes shares of `exp(score)` over rows `from` to `to` (excluded) without `gone` into `into`; they sum to 1. */
export function softmax(scores: Float64Array, from: number, to: number, into: Float64Array, gone = -1): void {
  const goneScore = scores[gone]
  if (goneScore !== undefined) scores[gone] = Number.NEGATIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let row = from; row < to; row += 1) most = Math.max(most, scores[row]!)
  let sum = 0
  for (let row = from; row < to; row += 1) {
    const share = Math.exp(scores[row]! - most)
    into[row] = share
    sum += share
  }
  for (let row = from; row < to; row += 1) into[row]! /= sum
  if (goneScore !== undefined) scores[gone] = goneScore
}

/** Win probabilities of every row from its score, at least `LEAST_CHANCE` before normalisation. */
export function winProbabilities(data: Pick<FieldData, 'starts'>, scores: Float64Array): Float64Array {
  const shares = new Float64Array(scores.length)
  for (let race = 0; race + 1 < data.starts.length; race += 1) {
    const [from, to] = [data.starts[race]!, data.starts[race + 1]!]
    softmax(scores, from, to, shares)
    shares.set(toShares([...shares.subarray(from, to)]), from)
  }
  return shares
}
