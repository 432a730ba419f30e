import { gridOf, sumBelow, toWhole, type TimeGrid } from './gamma-field.ts'

/** A chance of less is taken for this when strengths are solved: a runner without any still finishes somewhere. */
const LEAST_SOLVED = 1e-9
/** A distance from which one more step leads well below 1e-6, because it squares with each. */
const LAST_STEP_FROM = 8e-4
const MOST_STEPS = 60
/** The largest move of a logarithm of a rate in one step. */
const MOST_MOVE = 1.5
const NEGLIGIBLE = 1e-13

/**
 * Rates of the runners' finishing times for which each wins with its chance, to 1e-6 of it. `win`: as `checkField`
 * accepts them. Deterministic. Newton's method on the logarithms; the scale of time is that of the grid.
 */
export function solveRates(win: readonly number[], shape: number): Float64Array {
  const raised = win.map((chance) => Math.max(chance, LEAST_SOLVED))
  const total = raised.reduce((sum, chance) => sum + chance, 0)
  const targets = Float64Array.from(raised, (chance) => chance / total)
  const size = targets.length
  // The last rate follows from the others', so that its chance has their errors: that of the favourite bears them.
  const favourite = targets.indexOf(Math.max(...targets))
  swap(targets, favourite, size - 1)
  const grid = gridOf(shape)
  const logs = targets.map((chance) => firstLog(chance, shape))
  const rates = new Float64Array(size)
  const work = workspaceFor(size)
  for (let step = 0; step < MOST_STEPS; step += 1) {
    toScale(logs, rates, shape)
    winChances(rates, grid, work)
    const distance = moveOf(targets, work)
    for (let runner = 0; runner < size; runner += 1)
      logs[runner]! += Math.max(-MOST_MOVE, Math.min(MOST_MOVE, work.moves[runner]!))
    if (distance < LAST_STEP_FROM) break
  }
  toScale(logs, rates, shape)
  swap(rates, favourite, size - 1)
  return rates
}

function swap(values: Float64Array, a: number, b: number): void {
  const before = values[a]!
  values[a] = values[b]!
  values[b] = before
}

/**
 * Where the logarithm of a rate is sought first: a fit to solved fields of common chances, exact for shape 1. The closer,
 * the fewer steps follow.
 */
function firstLog(chance: number, shape: number): number {
  const log = Math.log(chance)
  const root = Math.sqrt(shape)
  const slope = 0.8023 + 0.1188 / root + 0.0789 / shape
  const bend = 0.04257 - 0.00722 / root - 0.03535 / shape
  return (log * (slope + bend * Math.max(log, -6))) / root
}

interface Workspace {
  size: number
  chances: Float64Array
  /** Derivatives of the chances by the logarithms of the rates. */
  slopes: Float64Array
  moves: Float64Array
  hazards: Float64Array
}

const workspaceFor = (size: number): Workspace => ({
  size,
  chances: new Float64Array(size),
  slopes: new Float64Array(size * size),
  moves: new Float64Array(size),
  hazards: new Float64Array(size),
})

/** Rates of logarithms, scaled so that Σ rate^shape = shape!: the winner's times then lie where the grid begins. */
function toScale(logs: Float64Array, rates: Float64Array, shape: number): void {
  let most = logs[0]!
  for (const log of logs) if (log > most) most = log
  let sum = 0
  for (const log of logs) sum += Math.exp(shape * (log - most))
  for (let power = 2; power <= shape; power += 1) sum /= power
  const shift = most + Math.log(sum) / shape
  for (let runner = 0; runner < logs.length; runner += 1) {
    logs[runner]! -= shift
    rates[runner] = Math.exp(logs[runner]!)
  }
}

/** Win chances under rates, and their slopes. */
function winChances(
  rates: Float64Array,
  { shape, times, weights, terms, next }: TimeGrid,
  work: Workspace,
): void {
  const { size, chances, slopes, hazards } = work
  chances.fill(0)
  slopes.fill(0)
  let all = 0
  for (const rate of rates) all += rate
  for (let point = 0; point < times.length; point += 1) {
    const time = times[point]!
    let none = Math.exp(-all * time)
    for (let runner = 0; runner < size; runner += 1) {
      const x = rates[runner]! * time
      const sum = sumBelow(terms, x)
      hazards[runner] = (toWhole(x, shape) * next * shape) / sum
      none *= sum
    }
    // The first points are as empty as the last ones.
    if (!(none > NEGLIGIBLE)) break
    none *= weights[point]!
    for (let runner = 0; runner < size; runner += 1) {
      const density = hazards[runner]! * none
      chances[runner]! += density
      for (let other = 0; other < runner; other += 1)
        slopes[runner * size + other]! += density * hazards[other]!
    }
  }
}

/**
 * The Newton step towards the targets, in logarithms of chances, and the largest relative distance before it. The slopes
 * below the diagonal are turned into a system without the last rate, because only ratios of rates matter.
 */
function moveOf(targets: Float64Array, { size, chances, slopes, moves }: Workspace): number {
  let far = 0
  // What lies before the grid is missing from each chance by the same share.
  let sum = 0
  for (const chance of chances) sum += chance
  for (let runner = 0; runner < size; runner += 1) {
    const distance = Math.log((targets[runner]! * sum) / chances[runner]!)
    far = Math.max(far, Math.abs(distance))
    moves[runner] = distance * chances[runner]!
  }
  // A raised chance moves its own rate alone; the others' slopes are negative.
  for (let runner = 0; runner < size; runner += 1) {
    for (let other = 0; other < runner; other += 1) {
      const both = slopes[runner * size + other]!
      slopes[runner * size + other] = -both
      slopes[other * size + runner] = -both
      slopes[runner * size + runner]! += both
      slopes[other * size + other]! += both
    }
  }
  eliminate(slopes, moves, size)
  return far
}

/**
 * Solves the system of a symmetric matrix whose rows sum to 0, with the last move as 0: the other rows are positive
 * definite, so that no pivots are sought.
 */
function eliminate(matrix: Float64Array, sides: Float64Array, size: number): void {
  const last = size - 1
  for (let column = 0; column < last; column += 1) {
    const pivot = matrix[column * size + column]!
    for (let row = column + 1; row < last; row += 1) {
      const factor = matrix[row * size + column]! / pivot
      if (factor === 0) continue
      for (let at = column + 1; at < last; at += 1)
        matrix[row * size + at]! -= factor * matrix[column * size + at]!
      sides[row]! -= factor * sides[column]!
    }
  }
  sides[last] = 0
  for (let row = last - 1; row >= 0; row -= 1) {
    let side = sides[row]!
    for (let at = row + 1; at < last; at += 1) side -= matrix[row * size + at]! * sides[at]!
    sides[row] = side / matrix[row * size + row]!
  }
}
