import { FEATURE_COUNT, FEATURES } from '../features/catalogue.ts'
import { CONTEXT } from '../features/context.ts'
import { FEATURE_GROUPS, type FeatureGroup } from '../features/groups.ts'
import { treeScores } from './boosted-trees.ts'
import { combined, INPUT_COUNT, inputsOf, type Network, type NetworkStarters } from './network-model.ts'
import {
  columnsOf,
  fillInputs,
  forwardFromFirst,
  layersOf,
  partsOf,
  type NetworkInputs,
  type NetworkShape,
} from './network.ts'
import { shapleyValues, type Worth } from './shapley.ts'

const groupAt = (group: FeatureGroup): number => FEATURE_GROUPS.indexOf(group)
/** Index of the group of each column: features, then context. */
const COLUMN_GROUPS = [...FEATURES, ...CONTEXT].map(({ group }) => groupAt(group))

/**
 * What the groups of inputs add to the scores of a version with a network, beyond the score of a mixture of the
 * starters. `weights`: those of the linear model; `starters.features` are scaled; `against`: each starter's share of
 * the mixture, 1 together. Equal shares make it the race's mean in everything, and then the answer is why a starter's
 * chance differs from the others'; a share of 1 makes it one starter, whom all others are compared with: another horse
 * ("why 4 over 7"), or the same one with other inputs ("what if").
 *
 * By group in the order of `FEATURE_GROUPS`, one number a starter, in log-odds before the temperature; a starter's
 * numbers sum to its score less the mixture's. The linear part of each is exact. What the networks and trees add is
 * shared out by Shapley values (`shapleyValues`): a group outside a coalition has the mixture's inputs, features,
 * context and traits of the jockey or trainer alike. Deterministic. `share`: how these are computed.
 */
export function scoreParts(
  network: Network,
  weights: Float64Array,
  starters: NetworkStarters,
  against: readonly number[],
  share = shapleyValues,
): Float64Array[] {
  const parts = addedParts(network, inputsOf(network.model, starters), against, share)
  const mixed = mixtureOf(starters.features, FEATURE_COUNT, against)
  for (const [column, { group }] of FEATURES.entries()) {
    const into = parts[groupAt(group)]!
    const weight = network.model.offset * weights[column]!
    for (let row = 0; row < into.length; row += 1) {
      into[row]! += weight * (starters.features[row * FEATURE_COUNT + column]! - mixed[column]!)
    }
  }
  return parts
}

/** The part of `scoreParts` that the networks and the trees add. */
function addedParts(
  network: Network,
  inputs: NetworkInputs,
  against: readonly number[],
  share: typeof shapleyValues,
): Float64Array[] {
  const rows = against.length
  const games = network.parameters.map((parameters) =>
    networkGame(network.shape, parameters, inputs, against),
  )
  const trees = treesGame(network, inputs, against)
  const isMoved = (group: number): boolean =>
    trees.moved.has(group) || games.some(({ moved }) => moved.has(group))
  const players = [...FEATURE_GROUPS.keys()].filter(isMoved)
  const scores = new Float64Array(rows)
  const linear = new Float64Array(rows)
  const worth: Worth = (members) => {
    const own = players.filter((_, player) => (members & (1 << player)) !== 0)
    scores.fill(0)
    for (const game of games) game.add(own, scores)
    for (let row = 0; row < rows; row += 1) scores[row]! /= Math.max(1, games.length)
    return combined(network.model, linear, scores, trees.scores(own))
  }
  const parts = FEATURE_GROUPS.map(() => new Float64Array(rows))
  for (const [player, value] of share(players.length, worth).entries()) {
    parts[players[player]!]!.set(value)
  }
  return parts
}

/** The mixture of a matrix's rows; the rows' own value where all are equal, to the last bit. */
function mixtureOf(matrix: Float64Array, columns: number, against: readonly number[]): Float64Array {
  const first = against.findIndex((share) => share !== 0) * columns
  return Float64Array.from({ length: columns }, (_, column) => {
    const base = matrix[first + column]!
    return against.reduce((sum, share, row) => sum + share * (matrix[row * columns + column]! - base), base)
  })
}

/** Scores of one network when the starters have their own inputs in some groups and the mixture's in the others. */
function networkGame(
  shape: NetworkShape,
  parameters: Float64Array,
  inputs: NetworkInputs,
  against: readonly number[],
) {
  const { width, traits } = shape
  const rows = against.length
  const columns = columnsOf(shape)
  const parts = partsOf(shape, parameters)
  const layers = layersOf(shape, rows)
  fillInputs(shape, parts, inputs, 0, rows, layers.inputs)
  const mixed = mixtureOf(layers.inputs, columns, against)
  // The first layer is linear: it is the mixture's and what each group moves it by.
  const shared = parts.firstBias.slice()
  const moves = new Map<number, Float64Array>()
  for (let column = 0; column < shape.inputs + 2 * traits; column += 1) {
    const group = COLUMN_GROUPS[column] ?? groupAt(column < shape.inputs + traits ? 'jockey' : 'trainer')
    const weights = parts.first.subarray(column * width, (column + 1) * width)
    for (let unit = 0; unit < width; unit += 1) shared[unit]! += mixed[column]! * weights[unit]!
    for (let row = 0; row < rows; row += 1) {
      const distance = layers.inputs[row * columns + column]! - mixed[column]!
      if (distance === 0) continue
      const move = moves.get(group) ?? new Float64Array(rows * width)
      moves.set(group, move)
      for (let unit = 0; unit < width; unit += 1) move[row * width + unit]! += distance * weights[unit]!
    }
  }
  const add = (own: readonly number[], scores: Float64Array): void => {
    const { first } = layers
    for (let row = 0; row < rows; row += 1) first.set(shared, row * width)
    for (const group of own) {
      const move = moves.get(group)
      if (move !== undefined) for (let at = 0; at < move.length; at += 1) first[at]! += move[at]!
    }
    forwardFromFirst(shape, parts, rows, layers, scores, 0)
  }
  return { moved: new Set(moves.keys()), add }
}

/** The same of the trees. */
function treesGame({ model: { trees } }: Network, { values }: NetworkInputs, against: readonly number[]) {
  const mixed = mixtureOf(values, INPUT_COUNT, against)
  const isMoved = (at: number): boolean => values[at] !== mixed[at % INPUT_COUNT]
  const moved = new Set(
    trees.length === 0
      ? []
      : [...values.keys()].filter(isMoved).map((at) => COLUMN_GROUPS[at % INPUT_COUNT]!),
  )
  const scores = (own: readonly number[]): Float64Array => {
    const between = values.map((value, at) =>
      own.includes(COLUMN_GROUPS[at % INPUT_COUNT]!) ? value : mixed[at % INPUT_COUNT]!,
    )
    return treeScores(trees, { values: between, width: INPUT_COUNT })
  }
  return { moved, scores: trees.length === 0 ? () => new Float64Array(against.length) : scores }
}
