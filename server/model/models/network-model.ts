import { z } from 'zod'
import { CONTEXT_COUNT } from '../features/context.ts'
import { FEATURE_COUNT } from '../features/catalogue.ts'
import type { Card } from '../features/history.ts'
import { treeScores } from './boosted-trees.ts'
import { layoutOf, networkScores, type NetworkInputs, type NetworkShape } from './network.ts'
import { Tree } from './tree.ts'

/**
 * What a version stores of its network: scores are `offset` times the linear ones, plus the mean of the networks'
 * and, if there are trees, of the mean and the trees'.
 */
export const NetworkModel = z.strictObject({
  /** Factor for the linear scores, below 1: they were fitted to the same races, so they are too sure of themselves. */
  offset: z.number(),
  /** Mean and factor of each column of the context. */
  context: z.array(z.strictObject({ mean: z.number(), scale: z.number() })).length(CONTEXT_COUNT),
  /** Ids of the people with rows of their own, from row 1 on; row 0 is for all others. */
  jockeys: z.array(z.string()),
  trainers: z.array(z.string()),
  traits: z.number().int(),
  width: z.number().int(),
  /** Each network's parameters: 32-bit floating point numbers, lowest byte first, in Base64. */
  parameters: z.array(z.string()),
  trees: z.array(Tree),
})
export type NetworkModel = z.infer<typeof NetworkModel>

/** Columns of a network's inputs besides the people. */
export const INPUT_COUNT = FEATURE_COUNT + CONTEXT_COUNT

export const shapeOf = ({
  traits,
  width,
  jockeys,
  trainers,
}: Pick<NetworkModel, 'traits' | 'width' | 'jockeys' | 'trainers'>): NetworkShape => ({
  inputs: INPUT_COUNT,
  traits,
  width,
  jockeys: jockeys.length + 1,
  trainers: trainers.length + 1,
})

const BYTES = 4

/** Parameters as the text that a version stores, rounded to 32 bits. */
export function parametersText(parameters: Float64Array): string {
  const bytes = Buffer.alloc(parameters.length * BYTES)
  for (const [at, value] of parameters.entries()) bytes.writeFloatLE(value, at * BYTES)
  return bytes.toString('base64')
}

function readParameters(text: string, shape: NetworkShape): Float64Array {
  const bytes = Buffer.from(text, 'base64')
  const { size } = layoutOf(shape)
  if (bytes.length !== size * BYTES) throw new RangeError(`a network needs ${size} parameters`)
  return Float64Array.from({ length: size }, (_, at) => bytes.readFloatLE(at * BYTES))
}

/** Starters of whom a model with a network is asked. */
export interface NetworkStarters {
  /** Scaled features, and context as computed: starters × columns, row by row. */
  features: Float64Array
  context: Float64Array
  jockeys: readonly (string | null)[]
  trainers: readonly (string | null)[]
}

/** Starters of races in the order of the field data. */
export const startersOf = (
  races: readonly Pick<Card, 'starters'>[],
  features: Float64Array,
  context: Float64Array,
): NetworkStarters => ({
  features,
  context,
  jockeys: races.flatMap(({ starters }) => starters.map(({ jockeyId }) => jockeyId)),
  trainers: races.flatMap(({ starters }) => starters.map(({ trainerId }) => trainerId)),
})

/** Inputs of the networks and of the trees. `values`: memory for them, starters × `INPUT_COUNT`. */
export function inputsOf(
  { context, jockeys, trainers }: Pick<NetworkModel, 'context' | 'jockeys' | 'trainers'>,
  starters: NetworkStarters,
  values: Float64Array = new Float64Array(starters.jockeys.length * INPUT_COUNT),
): NetworkInputs {
  const rows = starters.jockeys.length
  for (let row = 0; row < rows; row += 1) {
    values.set(starters.features.subarray(row * FEATURE_COUNT, (row + 1) * FEATURE_COUNT), row * INPUT_COUNT)
    for (const [column, { mean, scale }] of context.entries()) {
      const value = starters.context[row * CONTEXT_COUNT + column]!
      // Without any known value in the race: the mean.
      values[row * INPUT_COUNT + FEATURE_COUNT + column] = Number.isNaN(value) ? 0 : (value - mean) * scale
    }
  }
  return { values, jockeys: rowsOf(jockeys, starters.jockeys), trainers: rowsOf(trainers, starters.trainers) }
}

function rowsOf(known: readonly string[], ids: readonly (string | null)[]): Int32Array {
  const rows = new Map(known.map((id, index) => [id, index + 1]))
  return Int32Array.from(ids, (id) => (id === null ? 0 : (rows.get(id) ?? 0)))
}

/** A stored network, read once for many races. */
export class Network {
  readonly model: NetworkModel
  readonly shape: NetworkShape
  /** Of each network. */
  readonly parameters: readonly Float64Array[]

  /** Throws `RangeError` if its parameters are not as many as its sizes need. */
  constructor(model: NetworkModel) {
    this.model = model
    this.shape = shapeOf(model)
    this.parameters = model.parameters.map((text) => readParameters(text, this.shape))
  }

  /** What the networks and the trees add to `offset` times the linear scores, by starter. */
  added(starters: NetworkStarters): { networks: Float64Array; trees: Float64Array } {
    const inputs = inputsOf(this.model, starters)
    const rows = inputs.jockeys.length
    const networks = new Float64Array(rows)
    for (const parameters of this.parameters) {
      const scores = networkScores(this.shape, parameters, inputs)
      for (let row = 0; row < rows; row += 1) networks[row]! += scores[row]! / this.parameters.length
    }
    const trees = treeScores(this.model.trees, { values: inputs.values, width: INPUT_COUNT })
    return { networks, trees }
  }

  /** Scores of all starters, from their linear scores. */
  scores(starters: NetworkStarters, linear: Float64Array): Float64Array {
    const { networks, trees } = this.added(starters)
    return combined(this.model, linear, networks, trees)
  }
}

/** The parts of a score put together. */
export const combined = (
  { offset, parameters, trees: { length: treeCount } }: Pick<NetworkModel, 'offset' | 'parameters' | 'trees'>,
  linear: Float64Array,
  networks: Float64Array,
  trees: Float64Array,
): Float64Array => {
  const parts = (parameters.length > 0 ? 1 : 0) + (treeCount > 0 ? 1 : 0)
  return linear.map((score, row) => offset * score + (networks[row]! + trees[row]!) / Math.max(1, parts))
}
