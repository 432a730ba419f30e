import { addProduct } from './matrix-product.ts'

/** Sizes of a network. */
export interface NetworkShape {
  /** Columns of the inputs besides the people: features and context. */
  inputs: number
  /** Numbers by which a jockey or trainer is described. */
  traits: number
  /** Units of both hidden layers; a multiple of 4. */
  width: number
  /** Rows of the people's tables: row 0 is for everyone without a row. */
  jockeys: number
  trainers: number
}

/** Starters as a network sees them, those of all races one after another. */
export interface NetworkInputs {
  /** Starters × `inputs`, row by row, each column with a variance near 1. */
  values: Float64Array
  /** Row of each starter's jockey and trainer in the people's tables. */
  jockeys: Int32Array
  trainers: Int32Array
}

const upTo = (multiple: number, count: number): number => Math.ceil(count / multiple) * multiple

/** Columns of the first layer: inputs, jockey, trainer, and zeros up to a multiple of 4. */
export const columnsOf = ({ inputs, traits }: NetworkShape): number => upTo(4, inputs + 2 * traits)

/** Where each part of a network's parameters begins, and their number. */
export function layoutOf(shape: NetworkShape) {
  const { width, traits, jockeys, trainers } = shape
  let size = 0
  const part = (count: number): number => {
    const from = size
    size += count
    return from
  }
  return {
    first: part(columnsOf(shape) * width),
    firstBias: part(width),
    second: part(width * width),
    secondBias: part(width),
    last: part(width),
    jockeys: part(jockeys * traits),
    trainers: part(trainers * traits),
    size,
  }
}

/** The parts of `parameters` as views of the same memory. */
export function partsOf(shape: NetworkShape, parameters: Float64Array) {
  const at = layoutOf(shape)
  return {
    first: parameters.subarray(at.first, at.firstBias),
    firstBias: parameters.subarray(at.firstBias, at.second),
    second: parameters.subarray(at.second, at.secondBias),
    secondBias: parameters.subarray(at.secondBias, at.last),
    last: parameters.subarray(at.last, at.jockeys),
    jockeys: parameters.subarray(at.jockeys, at.trainers),
    trainers: parameters.subarray(at.trainers, at.size),
  }
}
export type NetworkParts = ReturnType<typeof partsOf>

/** Memory for the layers of up to `rows` starters, so that a step allocates nothing. */
export function layersOf(shape: NetworkShape, rows: number) {
  const even = upTo(2, rows)
  const hidden = (): Float64Array => new Float64Array(even * shape.width)
  return { inputs: new Float64Array(even * columnsOf(shape)), first: hidden(), second: hidden() }
}
export type Layers = ReturnType<typeof layersOf>

/** Which units a training step leaves out: each with the chance `share`, the others raised so that the mean stays. */
export interface Dropout {
  share: number
  random: () => number
}

/** Writes the columns of the first layer for the starters from row `from` on. */
export function fillInputs(
  shape: NetworkShape,
  parts: NetworkParts,
  { values, jockeys, trainers }: NetworkInputs,
  from: number,
  rows: number,
  into: Float64Array,
): void {
  const columns = columnsOf(shape)
  const { inputs, traits } = shape
  for (let row = 0; row < rows; row += 1) {
    const base = row * columns
    const source = (from + row) * inputs
    for (let column = 0; column < inputs; column += 1) into[base + column] = values[source + column]!
    const jockey = jockeys[from + row]! * traits
    const trainer = trainers[from + row]! * traits
    for (let trait = 0; trait < traits; trait += 1) {
      into[base + inputs + trait] = parts.jockeys[jockey + trait]!
      into[base + inputs + traits + trait] = parts.trainers[trainer + trait]!
    }
  }
}

/** Rectified values, with dropout if given. */
function rectify(values: Float64Array, count: number, dropout: Dropout | null): void {
  if (dropout === null) {
    for (let at = 0; at < count; at += 1) if (values[at]! < 0) values[at] = 0
    return
  }
  const { share, random } = dropout
  const raise = 1 / (1 - share)
  for (let at = 0; at < count; at += 1) {
    const stays = random() >= share
    const value = values[at]!
    values[at] = stays && value > 0 ? value * raise : 0
  }
}

/**
 * Scores of the starters from row `from` on, added to `scores[at…]`: a hidden layer, a residual layer on it, and their
 * weighted sum. `layers` then has what `backward` needs.
 */
export function forward(
  shape: NetworkShape,
  parts: NetworkParts,
  inputs: NetworkInputs,
  from: number,
  rows: number,
  layers: Layers,
  scores: Float64Array,
  at: number,
  dropout: Dropout | null = null,
): void {
  const { width } = shape
  const columns = columnsOf(shape)
  const even = upTo(2, rows)
  fillInputs(shape, parts, inputs, from, rows, layers.inputs)
  if (even > rows) layers.inputs.fill(0, rows * columns, even * columns)
  for (let row = 0; row < even; row += 1) layers.first.set(parts.firstBias, row * width)
  addProduct(even, width, columns, layers.inputs, columns, 1, parts.first, layers.first)
  forwardFromFirst(shape, parts, rows, layers, scores, at, dropout)
}

/** The rest of `forward`, from the sums of the first hidden layer in `layers.first`. */
export function forwardFromFirst(
  { width }: Pick<NetworkShape, 'width'>,
  parts: NetworkParts,
  rows: number,
  layers: Pick<Layers, 'first' | 'second'>,
  scores: Float64Array,
  at: number,
  dropout: Dropout | null = null,
): void {
  const even = upTo(2, rows)
  for (let row = 0; row < even; row += 1) layers.second.set(parts.secondBias, row * width)
  rectify(layers.first, even * width, dropout)
  addProduct(even, width, width, layers.first, width, 1, parts.second, layers.second)
  rectify(layers.second, even * width, dropout)
  for (let row = 0; row < rows; row += 1) {
    let sum = 0
    const base = row * width
    for (let unit = 0; unit < width; unit += 1) {
      sum += (layers.first[base + unit]! + layers.second[base + unit]!) * parts.last[unit]!
    }
    scores[at + row]! += sum
  }
}

/** Starters per step of `networkScores`. */
const ROWS_AT_ONCE = 128

/** Scores of all starters. */
export function networkScores(
  shape: NetworkShape,
  parameters: Float64Array,
  inputs: NetworkInputs,
): Float64Array {
  const rows = inputs.jockeys.length
  const scores = new Float64Array(rows)
  const parts = partsOf(shape, parameters)
  const layers = layersOf(shape, Math.min(rows, ROWS_AT_ONCE))
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    forward(shape, parts, inputs, from, Math.min(ROWS_AT_ONCE, rows - from), layers, scores, from)
  }
  return scores
}
