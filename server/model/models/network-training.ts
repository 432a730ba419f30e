import { setImmediate as nextTurn } from 'node:timers/promises'
import { seededRandom } from '../../../domain/random.ts'
import { exactExponential } from './exact-exponential.ts'
import { addProduct } from './matrix-product.ts'
import {
  columnsOf,
  forward,
  layersOf,
  layoutOf,
  partsOf,
  type Dropout,
  type NetworkInputs,
  type NetworkShape,
} from './network.ts'

/** How a network is trained. */
export interface NetworkSettings {
  epochs: number
  /** Races of a step. */
  batch: number
  /** Largest step of the cycle, and the decay of the weights, per step and unit of it. */
  rate: number
  decay: number
  /** Share of hidden units that a step leaves out. */
  dropout: number
}

/** Races to learn from. */
export interface NetworkRaces extends NetworkInputs {
  /** Index of each race's first starter, plus the total at the end. */
  starts: Int32Array
  /** Scores to which the network's are added. */
  offset: Float64Array
  /** Rows of each race's first three; -1 if there is no single such horse, and for the places after that. */
  places: readonly [Int32Array, Int32Array, Int32Array]
}

/** How much each of the first three places counts. */
const PLACE_WEIGHTS = [1, 0.8, 0.5] as const
/** Races whose layers are in memory at once: they fit into a processor's cache. */
const RACES_AT_ONCE = 8

/**
 * −log-likelihood of the first three of a race, each among those not placed before it (Plackett and Luce), weighted by
 * `PLACE_WEIGHTS`; its slope by score is added to `slope`. `scores` and `slope` begin with the race's first starter.
 */
function rankingLoss(
  scores: Float64Array,
  at: number,
  count: number,
  placed: readonly number[],
  factor: number,
  slope: Float64Array,
  shares: Float64Array,
): number {
  let loss = 0
  let most = Number.NEGATIVE_INFINITY
  for (let row = 0; row < count; row += 1) most = Math.max(most, scores[at + row]!)
  for (let row = 0; row < count; row += 1) shares[row] = exactExponential(scores[at + row]! - most)
  for (const [place, row] of placed.entries()) {
    if (row < 0) break
    const weight = PLACE_WEIGHTS[place]! * factor
    let sum = 0
    for (let other = 0; other < count; other += 1) sum += shares[other]!
    for (let other = 0; other < count; other += 1) slope[at + other]! += (weight * shares[other]!) / sum
    slope[at + row]! -= weight
    loss -= weight * Math.log(Math.max(1e-300, shares[row]! / sum))
    shares[row] = 0
  }
  return loss
}

/** Loss and gradient of a network over batches of races, with memory of its own. */
export class NetworkSlope {
  readonly gradient: Float64Array
  private readonly shape: NetworkShape
  private readonly races: NetworkRaces
  private readonly layers
  private readonly memory
  private readonly into

  constructor(shape: NetworkShape, races: NetworkRaces) {
    this.shape = shape
    this.races = races
    let most = 2
    for (let race = 0; race + 1 < races.starts.length; race += 1) {
      most = Math.max(most, races.starts[race + 1]! - races.starts[race]!)
    }
    const rows = RACES_AT_ONCE * most + ((RACES_AT_ONCE * most) % 2)
    const { width, traits } = shape
    this.layers = layersOf(shape, rows)
    this.gradient = new Float64Array(layoutOf(shape).size)
    this.into = partsOf(shape, this.gradient)
    this.memory = {
      inputs: {
        values: new Float64Array(rows * shape.inputs),
        jockeys: new Int32Array(rows),
        trainers: new Int32Array(rows),
      },
      scores: new Float64Array(rows),
      slope: new Float64Array(rows),
      shares: new Float64Array(most),
      first: new Float64Array(rows * width),
      second: new Float64Array(rows * width),
      people: new Float64Array(rows * people4(traits)),
      secondTurned: new Float64Array(width * width),
      peopleTurned: new Float64Array(width * people4(traits)),
    }
  }

  /**
   * Mean loss of the races listed in `order` from `from` to `to` (excluded); `gradient` is then its gradient at
   * `parameters`.
   */
  at(parameters: Float64Array, order: Int32Array, from: number, to: number, dropout: Dropout | null): number {
    const parts = partsOf(this.shape, parameters)
    this.gradient.fill(0)
    turn(parts.second, this.shape.width, 0, this.shape.width, this.memory.secondTurned)
    const { inputs, traits, width } = this.shape
    turn(
      parts.first,
      width,
      inputs,
      Math.min(inputs + people4(traits), columnsOf(this.shape)),
      this.memory.peopleTurned,
    )
    let loss = 0
    for (let race = from; race < to; race += RACES_AT_ONCE) {
      loss += this.addRaces(parts, order, race, Math.min(to, race + RACES_AT_ONCE), 1 / (to - from), dropout)
    }
    return loss
  }

  private addRaces(
    parts: ReturnType<typeof partsOf>,
    order: Int32Array,
    from: number,
    to: number,
    factor: number,
    dropout: Dropout | null,
  ): number {
    const { races, memory, shape } = this
    let rows = 0
    for (let index = from; index < to; index += 1) rows += this.copyRace(order[index]!, rows)
    forward(shape, parts, memory.inputs, 0, rows, this.layers, memory.scores, 0, dropout)
    memory.slope.fill(0)
    let loss = 0
    let at = 0
    for (let index = from; index < to; index += 1) {
      const race = order[index]!
      const base = races.starts[race]!
      const count = races.starts[race + 1]! - base
      const placed = races.places.map((place) => (place[race]! < 0 ? -1 : place[race]! - base))
      loss += rankingLoss(memory.scores, at, count, placed, factor, memory.slope, memory.shares)
      at += count
    }
    this.backward(parts, rows, dropout === null ? 1 : 1 / (1 - dropout.share))
    return loss
  }

  /** Copies a race's inputs and offset to row `at` of the working memory. Returns its number of starters. */
  private copyRace(race: number, at: number): number {
    const { values, jockeys, trainers, offset, starts } = this.races
    const { inputs } = this.shape
    const from = starts[race]!
    const to = starts[race + 1]!
    const { memory } = this
    memory.inputs.values.set(values.subarray(from * inputs, to * inputs), at * inputs)
    memory.inputs.jockeys.set(jockeys.subarray(from, to), at)
    memory.inputs.trainers.set(trainers.subarray(from, to), at)
    memory.scores.set(offset.subarray(from, to), at)
    return to - from
  }

  /** Adds the gradient of the rows whose layers `forward` has filled, from the slope by their scores. */
  private backward(parts: ReturnType<typeof partsOf>, rows: number, raise: number): void {
    const { shape, layers, memory, into } = this
    const { width, traits } = shape
    const even = rows + (rows % 2)
    const columns = columnsOf(shape)
    const { first, second, slope } = memory
    for (let row = 0; row < even; row += 1) {
      const own = row < rows ? slope[row]! : 0
      const base = row * width
      for (let unit = 0; unit < width; unit += 1) {
        const at = base + unit
        const down = own * parts.last[unit]!
        const kept = layers.second[at]!
        into.last[unit]! += own * (layers.first[at]! + kept)
        first[at] = down
        const through = kept > 0 ? down * raise : 0
        second[at] = through
        into.secondBias[unit]! += through
      }
    }
    addProduct(even, width, width, second, width, 1, memory.secondTurned, first)
    addProduct(width, width, even, layers.first, 1, width, second, into.second)
    for (let row = 0; row < even; row += 1) {
      const base = row * width
      for (let unit = 0; unit < width; unit += 1) {
        const at = base + unit
        const through = layers.first[at]! > 0 ? first[at]! * raise : 0
        first[at] = through
        into.firstBias[unit]! += through
      }
    }
    addProduct(columns, width, even, layers.inputs, 1, columns, first, into.first)
    const people = people4(traits)
    memory.people.fill(0, 0, even * people)
    addProduct(even, people, width, first, width, 1, memory.peopleTurned, memory.people)
    for (let row = 0; row < rows; row += 1) {
      const jockey = memory.inputs.jockeys[row]! * traits
      const trainer = memory.inputs.trainers[row]! * traits
      for (let trait = 0; trait < traits; trait += 1) {
        into.jockeys[jockey + trait]! += memory.people[row * people + trait]!
        into.trainers[trainer + trait]! += memory.people[row * people + traits + trait]!
      }
    }
  }
}

/** Columns of both people's traits, up to a multiple of 4. */
const people4 = (traits: number): number => Math.ceil((2 * traits) / 4) * 4

/** Writes the rows `from` to `to` (excluded) of a matrix of `width` columns into `into`, turned: `width` × their padded number. */
function turn(matrix: Float64Array, width: number, from: number, to: number, into: Float64Array): void {
  const count = into.length / width
  for (let row = from; row < to; row += 1) {
    for (let column = 0; column < width; column += 1)
      into[column * count + row - from] = matrix[row * width + column]!
  }
}

/** Parameters before training: uniform within ±1/√inputs of each layer, and small traits. */
export function firstParameters(shape: NetworkShape, random: () => number): Float64Array {
  const parameters = new Float64Array(layoutOf(shape).size)
  const parts = partsOf(shape, parameters)
  const fill = (part: Float64Array, bound: number): void => {
    for (let at = 0; at < part.length; at += 1) part[at] = (2 * random() - 1) * bound
  }
  const used = shape.inputs + 2 * shape.traits
  fill(parts.first.subarray(0, used * shape.width), 1 / Math.sqrt(used))
  fill(parts.firstBias, 1 / Math.sqrt(used))
  const own = 1 / Math.sqrt(shape.width)
  fill(parts.second, own)
  fill(parts.secondBias, own)
  fill(parts.last, own)
  fill(parts.jockeys, TRAIT_BOUND)
  fill(parts.trainers, TRAIT_BOUND)
  return parameters
}

const TRAIT_BOUND = 0.1
/** Share of the steps in which the rate rises, and the rates at both ends relative to the largest one. */
const RISING = 0.3
const FIRST_RATE = 1 / 25
const LAST_RATE = 1e-4 / 25

/** Step size at a share of the training, relative to the largest: one smooth rise and one smooth fall. */
export function cycleAt(share: number): number {
  const [from, to, way] =
    share < RISING ? [FIRST_RATE, 1, share / RISING] : [1, LAST_RATE, (share - RISING) / (1 - RISING)]
  return from + (to - from) * way * way * (3 - 2 * way)
}

const MEAN_MEMORY = 0.9
const SQUARE_MEMORY = 0.999
const TINY = 1e-8

/**
 * Trains a network by AdamW (Loshchilov and Hutter 2019) with one cycle of the step size. Deterministic: everything is
 * drawn from `seed`, and only sums, products, quotients and square roots are used, which are the same on every
 * processor. Yields to other work between steps.
 */
export async function trainNetwork(
  shape: NetworkShape,
  races: NetworkRaces,
  settings: NetworkSettings,
  seed: number,
): Promise<Float64Array> {
  const random = seededRandom(seed)
  const parameters = firstParameters(shape, random)
  const dropout = settings.dropout > 0 ? { share: settings.dropout, random } : null
  const known = Int32Array.from([...races.places[0].keys()].filter((race) => races.places[0][race]! >= 0))
  const perEpoch = Math.ceil(known.length / settings.batch)
  const slope = new NetworkSlope(shape, races)
  const mean = new Float64Array(parameters.length)
  const square = new Float64Array(parameters.length)
  let meanRest = 1
  let squareRest = 1
  for (let epoch = 0; epoch < settings.epochs; epoch += 1) {
    shuffle(known, random)
    for (let step = 0; step < perEpoch; step += 1) {
      const from = Math.floor((step * known.length) / perEpoch)
      const to = Math.floor(((step + 1) * known.length) / perEpoch)
      slope.at(parameters, known, from, to, dropout)
      const rate = settings.rate * cycleAt((epoch * perEpoch + step) / (settings.epochs * perEpoch))
      meanRest *= MEAN_MEMORY
      squareRest *= SQUARE_MEMORY
      moveAlong(parameters, slope.gradient, mean, square, {
        rate: rate / (1 - meanRest),
        squareScale: 1 / (1 - squareRest),
        keep: 1 - rate * settings.decay,
      })
      await nextTurn()
    }
  }
  return parameters
}

function moveAlong(
  parameters: Float64Array,
  gradient: Float64Array,
  mean: Float64Array,
  square: Float64Array,
  { rate, squareScale, keep }: { rate: number; squareScale: number; keep: number },
): void {
  for (let at = 0; at < parameters.length; at += 1) {
    const slope = gradient[at]!
    const average = MEAN_MEMORY * mean[at]! + (1 - MEAN_MEMORY) * slope
    const spread = SQUARE_MEMORY * square[at]! + (1 - SQUARE_MEMORY) * slope * slope
    mean[at] = average
    square[at] = spread
    parameters[at] = keep * parameters[at]! - (rate * average) / (Math.sqrt(spread * squareScale) + TINY)
  }
}

/** Fisher and Yates. */
function shuffle(list: Int32Array, random: () => number): void {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const kept = list[last]!
    list[last] = list[other]!
    list[other] = kept
  }
}
