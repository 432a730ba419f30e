import { toShares } from './exponent.ts'

/** Races laid out for fitting: starters of all races one after another. */
export interface FieldData {
  /** Where each race's starters begin; one more at the end. */
  starts: Int32Array
  /** Starters × `width` feature values, row by row. */
  values: Float64Array
  width: number
  /** Row of the winner and of the second of each race; -1 where no single horse is. */
  first: Int32Array
  second: Int32Array
}

/** The races from one to another (excluded), as a view of the same rows where it can be. */
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

/** Shares of `exp(score)` over rows `from` to `to` (excluded), written into `into`; sums to 1. */
export function softmax(scores: Float64Array, from: number, to: number, into: Float64Array): void {
  let most = Number.NEGATIVE_INFINITY
  for (let row = from; row < to; row += 1) most = Math.max(most, scores[row]!)
  let sum = 0
  for (let row = from; row < to; row += 1) {
    const share = Math.exp(scores[row]! - most)
    into[row] = share
    sum += share
  }
  for (let row = from; row < to; row += 1) into[row]! /= sum
}

/** Win probabilities of every row from its score, none below `LEAST_CHANCE`. */
export function winProbabilities(data: Pick<FieldData, 'starts'>, scores: Float64Array): Float64Array {
  const shares = new Float64Array(scores.length)
  for (let race = 0; race + 1 < data.starts.length; race += 1) {
    const [from, to] = [data.starts[race]!, data.starts[race + 1]!]
    softmax(scores, from, to, shares)
    shares.set(toShares([...shares.subarray(from, to)]), from)
  }
  return shares
}
