import { setImmediate as nextTurn } from 'node:timers/promises'
import { softmax, type FieldData } from './field-data.ts'
import { addOuterProducts } from './matrix-product.ts'

export interface LogitFit {
  weights: Float64Array
  /** Standard error of each weight, from the curvature of the penalised likelihood. */
  standardErrors: Float64Array
  iterations: number
  /** Log-likelihood of winners and seconds, without the penalty. */
  logLikelihood: number
}

const MAX_ITERATIONS = 25
/** Expected gain in log-likelihood below which iteration stops. */
const ENOUGH = 1e-6

/**
 * Conditional logit over the horses of a race (Bolton and Chapman 1986; Benter 1994): P(i wins) ∝ exp(w·x_i),
 * fitted to the ranking likelihood of the first two (the second as the winner among the rest), with a ridge
 * penalty `ridge ·
 * w
 * ² / 2`. Uses Newton's method from `start` with step halving; deterministic. Columns should have similar
 * scales. Yields to other work between steps.
 */
export async function fitConditionalLogit(
  data: FieldData,
  ridge: number,
  start?: Float64Array,
): Promise<LogitFit> {
  const { width } = data
  let weights = start ? start.slice() : new Float64Array(width)
  let at = slopeAt(data, weights, ridge)
  let iterations = 0
  for (; iterations < MAX_ITERATIONS; iterations += 1) {
    const factor = cholesky(at.curvature, width)
    const step = solve(factor, width, at.gradient)
    let gain = 0
    for (let column = 0; column < width; column += 1) gain += step[column]! * at.gradient[column]!
    if (gain < ENOUGH) break
    let share = 1
    let next = at
    let moved = weights
    for (; share > 1e-4; share /= 2) {
      await nextTurn()
      moved = weights.map((weight, column) => weight + share * step[column]!)
      next = slopeAt(data, moved, ridge)
      if (next.objective >= at.objective) break
    }
    if (next.objective < at.objective) break
    weights = moved
    at = next
  }
  const factor = cholesky(at.curvature, width)
  const standardErrors = new Float64Array(width)
  const unit = new Float64Array(width)
  for (let column = 0; column < width; column += 1) {
    unit.fill(0)
    unit[column] = 1
    standardErrors[column] = Math.sqrt(solve(factor, width, unit)[column]!)
  }
  return { weights, standardErrors, iterations, logLikelihood: at.logLikelihood }
}

/** Scores `w·x` of every row. */
export function linearScores(data: Pick<FieldData, 'values' | 'width'>, weights: Float64Array): Float64Array {
  const { values, width } = data
  const rows = values.length / width
  const scores = new Float64Array(rows)
  for (let row = 0; row < rows; row += 1) {
    let score = 0
    const base = row * width
    for (let column = 0; column < width; column += 1) score += values[base + column]! * weights[column]!
    scores[row] = score
  }
  return scores
}

function slopeAt(data: FieldData, weights: Float64Array, ridge: number) {
  const { starts, values, width, first, second } = data
  const scores = linearScores(data, weights)
  const shares = new Float64Array(scores.length)
  const gradient = new Float64Array(width)
  const mean = new Float64Array(width)
  // The negative Hessian; only the upper triangle is filled.
  const padded = 4 * Math.ceil(width / 4)
  const curvature = new Float64Array(padded * padded)
  const most = largestField(starts)
  const centred = new Float64Array(most * padded)
  const weighted = new Float64Array(most * padded)
  let logLikelihood = 0

  /** Adds one choice of `winner` among rows `from` to `to` (excluded), without `gone`. */
  const choice = (from: number, to: number, winner: number, gone: number): void => {
    softmax(scores, from, to, shares, gone)
    logLikelihood += Math.log(shares[winner]!)
    mean.fill(0)
    for (let row = from; row < to; row += 1) {
      const share = shares[row]!
      const base = row * width
      for (let column = 0; column < width; column += 1) mean[column]! += share * values[base + column]!
    }
    const won = winner * width
    for (let column = 0; column < width; column += 1)
      gradient[column]! += values[won + column]! - mean[column]!
    let depth = 0
    for (let row = from; row < to; row += 1) {
      const share = shares[row]!
      if (share === 0) continue
      const base = row * width
      const line = depth * padded
      for (let column = 0; column < width; column += 1) {
        const distance = values[base + column]! - mean[column]!
        centred[line + column] = distance
        weighted[line + column] = share * distance
      }
      depth += 1
    }
    addOuterProducts(padded, depth, weighted, centred, curvature)
  }

  for (let race = 0; race < first.length; race += 1) {
    const winner = first[race]!
    if (winner < 0) continue
    const from = starts[race]!
    const to = starts[race + 1]!
    choice(from, to, winner, -1)
    if (second[race]! >= 0) choice(from, to, second[race]!, winner)
  }
  let penalty = 0
  for (let column = 0; column < width; column += 1) {
    penalty += (ridge * weights[column]! ** 2) / 2
    gradient[column]! -= ridge * weights[column]!
    curvature[column * padded + column]! += ridge
  }
  const square = new Float64Array(width * width)
  for (let row = 0; row < width; row += 1)
    square.set(curvature.subarray(row * padded, row * padded + width), row * width)
  return { objective: logLikelihood - penalty, logLikelihood, gradient, curvature: square }
}

/** Starters of the largest race. */
function largestField(starts: Int32Array): number {
  let most = 0
  for (let race = 0; race + 1 < starts.length; race += 1)
    most = Math.max(most, starts[race + 1]! - starts[race]!)
  return most
}

/**
 * Lower Cholesky factor of a positive definite matrix given by its upper triangle. Throws `RangeError`
 * otherwise.
 */
function cholesky(upper: Float64Array, width: number): Float64Array {
  const factor = new Float64Array(width * width)
  for (let row = 0; row < width; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = upper[column * width + row]!
      for (let k = 0; k < column; k += 1) sum -= factor[row * width + k]! * factor[column * width + k]!
      if (row === column) {
        if (!(sum > 0)) throw new RangeError('the likelihood has no single maximum: raise the penalty')
        factor[row * width + row] = Math.sqrt(sum)
      } else factor[row * width + column] = sum / factor[column * width + column]!
    }
  }
  return factor
}

function solve(factor: Float64Array, width: number, right: Float64Array): Float64Array {
  const half = new Float64Array(width)
  for (let row = 0; row < width; row += 1) {
    let sum = right[row]!
    for (let k = 0; k < row; k += 1) sum -= factor[row * width + k]! * half[k]!
    half[row] = sum / factor[row * width + row]!
  }
  const result = new Float64Array(width)
  for (let row = width - 1; row >= 0; row -= 1) {
    let sum = half[row]!
    for (let k = row + 1; k < width; k += 1) sum -= factor[k * width + row]! * result[k]!
    result[row] = sum / factor[row * width + row]!
  }
  return result
}
