import { FEATURE_COUNT, FEATURES } from '../features/catalogue.ts'
import { FEATURE_GROUPS, type FeatureGroup } from '../features/groups.ts'
import { scoreParts } from './attribution.ts'
import { treeScores } from './boosted-trees.ts'
import { linearScores } from './conditional-logit.ts'
import { toShares } from './exponent.ts'
import type { ModelVersion } from './model-version.ts'
import type { Network, NetworkStarters } from './network-model.ts'

type Fundamental = NonNullable<ModelVersion['fundamental']>

/** Features multiplied by their scale. `values`: starters × features. */
export const scaled = (values: Float64Array, scale: readonly number[]): Float64Array =>
  values.map((value, index) => value * scale[index % FEATURE_COUNT]!)

/** The linear weights of a fundamental model. */
export const weightsOf = ({ features }: Pick<Fundamental, 'features'>): Float64Array =>
  Float64Array.from(features, ({ weight }) => weight)

/** Scores of scaled values under a fundamental model, before the temperature is applied. */
export function fundamentalScores(
  model: Pick<Fundamental, 'features' | 'trees'>,
  values: Float64Array,
): Float64Array {
  const scores = treeScores(model.trees, { values, width: FEATURE_COUNT })
  const weights = weightsOf(model)
  for (let row = 0; row < scores.length; row += 1) {
    for (let column = 0; column < FEATURE_COUNT; column += 1) {
      scores[row]! += weights[column]! * values[row * FEATURE_COUNT + column]!
    }
  }
  return scores
}

/** Key for the trees' contribution, which belongs to several features at once. */
const INTERPLAY = 'interplay'

export interface Contribution {
  /** Feature group, `interplay` or `winOdds`. */
  feature: FeatureGroup | typeof INTERPLAY | 'winOdds'
  /** Log-odds relative to the race's mean. */
  value: number
}

const largestFirst = (contributions: readonly Contribution[]): Contribution[] =>
  contributions.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value))

/**
 * Win probabilities of one race without odds, with their contributions. `values`: starters × features as
 * computed, unscaled. P(i) ∝ exp(temperature · score_i). Contributions are by starter, largest absolute value first;
 * they sum to its score relative to the race's mean.
 */
export function predictFundamental(
  model: Fundamental,
  values: Float64Array,
): { probabilities: number[]; contributions: Contribution[][] } {
  const scales = model.features.map(({ scale }) => scale)
  const x = scaled(values, scales)
  const starters = x.length / FEATURE_COUNT
  const trees = treeScores(model.trees, { values: x, width: FEATURE_COUNT })
  const treeMean = trees.reduce((sum, value) => sum + value, 0) / starters
  const scores: number[] = []
  const contributions: Contribution[][] = []
  for (let row = 0; row < starters; row += 1) {
    const groups = new Map<Contribution['feature'], number>()
    for (const [column, { group }] of FEATURES.entries()) {
      const part = model.temperature * model.features[column]!.weight * x[row * FEATURE_COUNT + column]!
      groups.set(group, (groups.get(group) ?? 0) + part)
    }
    if (model.trees.length > 0) groups.set(INTERPLAY, model.temperature * (trees[row]! - treeMean))
    scores.push([...groups.values()].reduce((sum, value) => sum + value, 0))
    contributions.push(largestFirst([...groups].map(([feature, value]) => ({ feature, value }))))
  }
  const most = Math.max(...scores)
  return { probabilities: toShares(scores.map((score) => Math.exp(score - most))), contributions }
}

/**
 * Win probabilities of one race by a version's network, with their contributions as `predictFundamental` has them; the
 * contributions sum to a starter's score relative to that of the race's mean in every input (`scoreParts`). Features and
 * context as computed, unscaled.
 */
export function predictNetwork(
  fundamental: Fundamental,
  network: Network,
  temperature: number,
  starters: NetworkStarters,
): { probabilities: number[]; contributions: Contribution[][] } {
  const own = scaledStarters(fundamental, starters)
  const probabilities = probabilitiesOf(fundamental, network, temperature, own)
  const parts = scoreParts(
    network,
    weightsOf(fundamental),
    own,
    probabilities.map(() => 1 / probabilities.length),
  )
  return {
    probabilities,
    contributions: probabilities.map((_, row) =>
      largestFirst(
        FEATURE_GROUPS.map((feature, group) => ({ feature, value: temperature * parts[group]![row]! })),
      ),
    ),
  }
}

/** The probabilities of `predictNetwork` alone: their contributions take ten times as long. */
export const networkProbabilities = (
  fundamental: Fundamental,
  network: Network,
  temperature: number,
  starters: NetworkStarters,
): number[] => probabilitiesOf(fundamental, network, temperature, scaledStarters(fundamental, starters))

/** `own`: starters whose features are scaled. */
function probabilitiesOf(
  fundamental: Fundamental,
  network: Network,
  temperature: number,
  own: NetworkStarters,
): number[] {
  const linear = linearScores({ values: own.features, width: FEATURE_COUNT }, weightsOf(fundamental))
  const scores = [...network.scores(own, linear)].map((score) => temperature * score)
  const most = Math.max(...scores)
  return toShares(scores.map((score) => Math.exp(score - most)))
}

const scaledStarters = ({ features }: Fundamental, starters: NetworkStarters): NetworkStarters => ({
  ...starters,
  features: scaled(
    starters.features,
    features.map(({ scale }) => scale),
  ),
})

/**
 * By how much each starter's score changes from one set of inputs to another, in log-odds by group of inputs; groups that
 * change nothing are left out. `before`, `after`: of the same starters, as `predictFundamental` takes them.
 */
export function fundamentalChanges(
  model: Fundamental,
  before: Float64Array,
  after: Float64Array,
): Contribution[][] {
  const scales = model.features.map(({ scale }) => scale)
  const [x, y] = [scaled(before, scales), scaled(after, scales)]
  const [treesBefore, treesAfter] = [x, y].map((values) =>
    treeScores(model.trees, { values, width: FEATURE_COUNT }),
  )
  return Array.from({ length: x.length / FEATURE_COUNT }, (_, row) => {
    const groups = new Map<Contribution['feature'], number>()
    const add = (group: Contribution['feature'], part: number): void => {
      if (part !== 0) groups.set(group, (groups.get(group) ?? 0) + model.temperature * part)
    }
    for (const [column, { group }] of FEATURES.entries()) {
      const at = row * FEATURE_COUNT + column
      add(group, model.features[column]!.weight * (y[at]! - x[at]!))
    }
    add(INTERPLAY, treesAfter![row]! - treesBefore![row]!)
    return [...groups].map(([feature, value]) => ({ feature, value }))
  })
}

/** The same by a version's network: each starter is compared with itself under the inputs before (`scoreParts`). */
export function networkChanges(
  fundamental: Fundamental,
  network: Network,
  temperature: number,
  before: NetworkStarters,
  after: NetworkStarters,
): Contribution[][] {
  const weights = weightsOf(fundamental)
  const scales = fundamental.features.map(({ scale }) => scale)
  return after.jockeys.map((_, row) => {
    const rowOf = (values: Float64Array): Float64Array => {
      const columns = values.length / after.jockeys.length
      return values.subarray(row * columns, (row + 1) * columns)
    }
    const both = {
      features: scaled(Float64Array.of(...rowOf(before.features), ...rowOf(after.features)), scales),
      context: Float64Array.of(...rowOf(before.context), ...rowOf(after.context)),
      jockeys: [before.jockeys[row]!, after.jockeys[row]!],
      trainers: [before.trainers[row]!, after.trainers[row]!],
    }
    const parts = scoreParts(network, weights, both, [1, 0])
    return FEATURE_GROUPS.flatMap((feature, group) => {
      const value = temperature * parts[group]![1]!
      return value === 0 ? [] : [{ feature, value }]
    })
  })
}

/** The second step: p ∝ exp(a·ln f + b·ln m) of model `f` and market `m` (domain notes section 3). */
export function blendProbabilities(
  { fundamental, market }: Pick<NonNullable<ModelVersion['blend']>, 'fundamental' | 'market'>,
  own: readonly number[],
  publics: readonly number[],
): number[] {
  return toShares(own.map((value, index) => value ** fundamental * publics[index]! ** market))
}
