import type { OddsFreeModel } from '../../../contract/model-ids.ts'
import type { computeInputs } from '../features/catalogue.ts'
import type { Card } from '../features/history.ts'
import type { ModelVersion } from './model-version.ts'
import { Network, startersOf, type NetworkModel, type NetworkStarters } from './network-model.ts'
import {
  fundamentalChanges,
  networkChanges,
  networkProbabilities,
  predictFundamental,
  predictNetwork,
  type Contribution,
} from './predict.ts'

/** Networks of versions, whose parameters are read once. */
const networks = new WeakMap<NetworkModel, Network>()

function networkOf(model: NetworkModel): Network {
  const known = networks.get(model)
  if (known) return known
  const network = new Network(model)
  networks.set(model, network)
  return network
}

type Inputs = ReturnType<typeof computeInputs>
type Fitted = Pick<ModelVersion, 'fundamental' | 'network'>

/**
 * Win probabilities of a race's starters by a version's model without odds, with their contributions; `null` if the version
 * does not have it. Deterministic.
 */
export function predictWithoutOdds(
  { fundamental, network }: Fitted,
  model: OddsFreeModel,
  race: Pick<Card, 'starters'>,
  { features, context }: Inputs,
): { probabilities: number[]; contributions: Contribution[][] } | null {
  if (fundamental === null) return null
  if (model === 'fundamental') return predictFundamental(fundamental, features)
  return network
    ? predictNetwork(
        fundamental,
        networkOf(network),
        network.temperature,
        startersOf([race], features, context),
      )
    : null
}

/** The probabilities of `predictWithoutOdds` alone. */
export function chancesWithoutOdds(
  { fundamental, network }: Fitted,
  model: OddsFreeModel,
  race: Pick<Card, 'starters'>,
  { features, context }: Inputs,
): number[] | null {
  if (fundamental === null) return null
  if (model === 'fundamental') return predictFundamental(fundamental, features).probabilities
  const starters = startersOf([race], features, context)
  return network ? networkProbabilities(fundamental, networkOf(network), network.temperature, starters) : null
}

/**
 * By how much the score of each starter that is on both cards changes with its inputs, by group, in the order of the
 * second card. The version must have the model.
 */
export function changesWithoutOdds(
  { fundamental, network }: Fitted,
  model: OddsFreeModel,
  before: { race: Pick<Card, 'starters'>; inputs: Inputs },
  after: { race: Pick<Card, 'starters'>; inputs: Inputs },
): Contribution[][] {
  const rows = after.race.starters.map(({ horseNo }) =>
    before.race.starters.findIndex((starter) => starter.horseNo === horseNo),
  )
  const kept = rowsOf(before, rows)
  if (model === 'fundamental' || !network)
    return fundamentalChanges(fundamental!, kept.features, after.inputs.features)
  const changed = startersOf([after.race], after.inputs.features, after.inputs.context)
  return networkChanges(fundamental!, networkOf(network), network.temperature, kept, changed)
}

/** Some rows of a race's starters, in this order. */
function rowsOf(
  { race, inputs }: { race: Pick<Card, 'starters'>; inputs: Inputs },
  rows: readonly number[],
): NetworkStarters {
  const taken = (values: Float64Array): Float64Array => {
    const columns = values.length / race.starters.length
    return Float64Array.from(rows.flatMap((row) => [...values.subarray(row * columns, (row + 1) * columns)]))
  }
  const starters = rows.map((row) => race.starters[row]!)
  return startersOf([{ starters }], taken(inputs.features), taken(inputs.context))
}
