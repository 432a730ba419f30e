import { CONTEXT_COUNT } from '../model/features/context.ts'
import { onlyAt, type PastRace } from '../model/features/history.ts'
import { fitBoostedTrees, type BoostSettings } from '../model/models/boosted-trees.ts'
import { racesOf, type FieldData } from '../model/models/field-data.ts'
import {
  INPUT_COUNT,
  inputsOf,
  parametersText,
  shapeOf,
  startersOf,
  type NetworkModel,
} from '../model/models/network-model.ts'
import type { NetworkRaces, NetworkSettings } from '../model/models/network-training.ts'
import { trainNetworks } from './train-networks.ts'

/** How the network of a version is fitted, and what is averaged with it. */
export interface NetworkFit extends NetworkSettings {
  offset: number
  /** Number of networks, each from another seed; their scores are averaged. */
  seeds: number
  width: number
  /** Numbers by which a jockey or trainer is described; 0: the network does not know who they are. */
  traits: number
  /** Whether it sees the context. */
  context: boolean
  /** Starts from which a jockey or trainer has a row of its own. */
  leastStarts: number
  boost: BoostSettings
}

/**
 * A recipe from a trial outside the project; batch and offset were chosen on the tuning seasons
 * (docs/decisions/032-network.md).
 */
export const NETWORK: NetworkFit = {
  offset: 0.8,
  seeds: 2,
  width: 64,
  traits: 8,
  context: true,
  leastStarts: 30,
  epochs: 12,
  batch: 64,
  rate: 1e-3,
  decay: 0.01,
  dropout: 0.3,
  boost: { trees: 0, leaves: 8, rate: 0.06, leastCurvature: 60, ridge: 30, columnShare: 0.5 },
}

/** The people with at least `least` starts, sorted. */
function regulars(ids: readonly (string | null)[], least: number): string[] {
  const counts = new Map<string, number>()
  for (const id of ids) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].flatMap(([id, count]) => (count >= least ? [id] : [])).toSorted()
}

/** Mean and factor of each column of the context over its known values. */
function contextScales(context: Float64Array): NetworkModel['context'] {
  return Array.from({ length: CONTEXT_COUNT }, (_, column) => {
    let count = 0
    let sum = 0
    let squares = 0
    for (let at = column; at < context.length; at += CONTEXT_COUNT) {
      const value = context[at]!
      if (Number.isNaN(value)) continue
      count += 1
      sum += value
      squares += value * value
    }
    const mean = count === 0 ? 0 : sum / count
    const variance = count === 0 ? 0 : squares / count - mean * mean
    // A column that never differs has no information.
    return { mean, scale: variance > 1e-9 ? 1 / Math.sqrt(variance) : 0 }
  })
}

/** Scales by which a network sees the same context everywhere. */
const UNSEEN: NetworkModel['context'] = Array.from({ length: CONTEXT_COUNT }, () => ({ mean: 0, scale: 0 }))

/**
 * Fits the networks and trees of a version on top of its linear scores. `data` has scaled features; all arguments
 * are the races of earlier seasons, in the same order. Everything, also who has a row of its own, comes from them.
 */
export async function fitNetwork(
  races: readonly PastRace[],
  data: FieldData,
  context: Float64Array,
  linear: Float64Array,
  fit: NetworkFit,
): Promise<NetworkModel> {
  const starters = startersOf(races, data.values, context)
  const model: NetworkModel = {
    offset: fit.offset,
    context: fit.context ? contextScales(context) : UNSEEN,
    jockeys: regulars(starters.jockeys, fit.leastStarts),
    trainers: regulars(starters.trainers, fit.leastStarts),
    traits: fit.traits,
    width: fit.width,
    parameters: [],
    trees: [],
  }
  const third = Int32Array.from(races, (race, index) => {
    const row = data.second[index]! < 0 ? -1 : onlyAt(race, 3)
    return row < 0 ? -1 : data.starts[index]! + row
  })
  const memory = new SharedArrayBuffer(starters.jockeys.length * INPUT_COUNT * Float64Array.BYTES_PER_ELEMENT)
  const inputs = inputsOf(model, starters, new Float64Array(memory))
  const offset = linear.map((score) => fit.offset * score)
  const networkRaces: NetworkRaces = {
    ...inputs,
    starts: data.starts,
    offset,
    places: [data.first, data.second, third],
  }
  const seeds = Array.from({ length: fit.seeds }, (_, index) => index + 1)
  const trained = await trainNetworks({ shape: shapeOf(model), races: networkRaces, settings: fit, seeds })
  model.parameters = trained.map(parametersText)
  if (fit.boost.trees > 0) {
    const wide: FieldData = { ...data, values: inputs.values, width: INPUT_COUNT }
    model.trees = await fitBoostedTrees(wide, offset, fit.boost)
  }
  return model
}

/** The races `from` to `to` (excluded) of what a walk gathered, as `fitNetwork` and `startersOf` need them. */
export const partOf = (
  races: readonly PastRace[],
  data: FieldData,
  context: Float64Array,
  from: number,
  to: number,
): { races: readonly PastRace[]; data: FieldData; context: Float64Array } => ({
  races: races.slice(from, to),
  data: racesOf(data, from, to),
  context: context.subarray(data.starts[from]! * CONTEXT_COUNT, data.starts[to]! * CONTEXT_COUNT),
})
