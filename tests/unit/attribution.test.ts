import { describe, expect, test } from 'vitest'
import { normal, seededRandom } from '../../domain/random.ts'
import { FEATURE_COUNT, FEATURES } from '../../server/model/features/catalogue.ts'
import { CONTEXT, CONTEXT_COUNT } from '../../server/model/features/context.ts'
import { FEATURE_GROUPS, type FeatureGroup } from '../../server/model/features/groups.ts'
import { scoreParts } from '../../server/model/models/attribution.ts'
import {
  Network,
  parametersText,
  shapeOf,
  type NetworkModel,
  type NetworkStarters,
} from '../../server/model/models/network-model.ts'
import { firstParameters } from '../../server/model/models/network-training.ts'
import { exactShapley } from '../../server/model/models/shapley.ts'

const random = seededRandom(37)
const JOCKEYS = ['HK-J1', 'HK-J2', 'HK-J3']
const TRAINERS = ['HK-T1', 'HK-T2']
const OFFSET = 0.9

/** A model of networks with parameters `size` times those before training, and of a tree if asked. */
function drawnModel(size: number, networks = 2, tree = false, width = 8): Network {
  const model: NetworkModel = {
    offset: OFFSET,
    context: CONTEXT.map(() => ({ mean: 0, scale: 1 })),
    jockeys: JOCKEYS,
    trainers: TRAINERS,
    traits: 4,
    width,
    parameters: [],
    trees: tree
      ? [
          {
            column: [3, FEATURE_COUNT, -1, -1, -1],
            threshold: [0, 0.2, 0, 0, 0],
            left: [1, 3, -1, -1, -1],
            right: [2, 4, -1, -1, -1],
            value: [0, 0, 0.4, -0.3, 0.1],
          },
        ]
      : [],
  }
  model.parameters = Array.from({ length: networks }, () =>
    parametersText(firstParameters(shapeOf(model), random).map((value) => size * value)),
  )
  return new Network(model)
}

const WEIGHTS = Float64Array.from({ length: FEATURE_COUNT }, () => normal(random) / 5)

function drawnField(count: number): NetworkStarters {
  const column = (): number[] => Array.from({ length: count }, () => normal(random))
  const features = new Float64Array(count * FEATURE_COUNT)
  for (const index of FEATURES.keys()) {
    const values = column()
    const mean = values.reduce((sum, value) => sum + value, 0) / count
    for (const [row, value] of values.entries()) features[row * FEATURE_COUNT + index] = value - mean
  }
  return {
    features,
    context: Float64Array.from({ length: count * CONTEXT_COUNT }, () => normal(random)),
    jockeys: Array.from({ length: count }, (_, row) => JOCKEYS[row] ?? null),
    trainers: Array.from({ length: count }, (_, row) => TRAINERS[row % 3] ?? null),
  }
}

const linearOf = ({ features }: NetworkStarters): Float64Array =>
  Float64Array.from({ length: features.length / FEATURE_COUNT }, (_, row) =>
    WEIGHTS.reduce((sum, weight, column) => sum + weight * features[row * FEATURE_COUNT + column]!, 0),
  )
const scoresOf = (network: Network, starters: NetworkStarters): Float64Array =>
  network.scores(starters, linearOf(starters))
const evenly = (count: number): number[] => Array.from({ length: count }, () => 1 / count)
const only = (count: number, row: number): number[] =>
  Array.from({ length: count }, (_, each) => (each === row ? 1 : 0))
const sumOf = (parts: readonly Float64Array[], row: number): number =>
  parts.reduce((sum, part) => sum + part[row]!, 0)
const partOf = (parts: readonly Float64Array[], group: FeatureGroup): Float64Array =>
  parts[FEATURE_GROUPS.indexOf(group)]!

describe.each([
  ['networks', drawnModel(3)],
  ['networks and trees', drawnModel(3, 2, true)],
  ['trees', drawnModel(3, 0, true)],
])('parts of a score of %s', (_, network) => {
  const field = drawnField(5)
  const scores = scoresOf(network, field)

  test('sum to it less the mixture’s, whose score is that of no runner: differences are the scores’', () => {
    const parts = scoreParts(network, WEIGHTS, field, evenly(5))
    for (const row of [1, 2, 3, 4]) {
      expect(sumOf(parts, row) - sumOf(parts, 0)).toBeCloseTo(scores[row]! - scores[0]!, 10)
    }
  })

  test('against one runner: it has none, the others’ sum to the distance from its score', () => {
    const parts = scoreParts(network, WEIGHTS, field, only(5, 2))
    for (const part of parts) expect(part[2]).toBe(0)
    for (const row of [0, 1, 3, 4]) expect(sumOf(parts, row)).toBeCloseTo(scores[row]! - scores[2]!, 10)
  })

  test('are the same for a runner wherever it stands in the field, and the same bytes whenever computed', () => {
    const parts = scoreParts(network, WEIGHTS, field, evenly(5))
    expect(scoreParts(network, WEIGHTS, field, evenly(5))).toEqual(parts)
    const turned: NetworkStarters = {
      features: Float64Array.from(field.features, (_, at) => {
        const row = 4 - Math.floor(at / FEATURE_COUNT)
        return field.features[row * FEATURE_COUNT + (at % FEATURE_COUNT)]!
      }),
      context: Float64Array.from(field.context, (_, at) => {
        const row = 4 - Math.floor(at / CONTEXT_COUNT)
        return field.context[row * CONTEXT_COUNT + (at % CONTEXT_COUNT)]!
      }),
      jockeys: field.jockeys.toReversed(),
      trainers: field.trainers.toReversed(),
    }
    for (const [group, part] of scoreParts(network, WEIGHTS, turned, evenly(5)).entries()) {
      for (const row of [0, 1, 2, 3, 4]) expect(part[4 - row]).toBeCloseTo(parts[group]![row]!, 10)
    }
  })
})

test('what networks of the product’s width and trees add is shared nearly as by all 16,384 coalitions', () => {
  const network = drawnModel(3, 1, true, 64)
  const field = drawnField(4)
  const unweighted = WEIGHTS.map(() => 0)
  const parts = scoreParts(network, unweighted, field, evenly(4))
  const exact = scoreParts(network, unweighted, field, evenly(4), exactShapley)
  const squares = { error: 0, exact: 0 }
  for (const [group, part] of parts.entries()) {
    for (const [row, value] of part.entries()) {
      squares.error += (value - exact[group]![row]!) ** 2
      squares.exact += exact[group]![row]! ** 2
    }
  }
  expect(Math.sqrt(squares.error / squares.exact)).toBeLessThan(0.25)
})

test('the score of the mixture is that of a runner with the mean of every input', () => {
  // Two runners who differ in what has a number for the mean: features and context.
  const network = drawnModel(3)
  const pair = drawnField(2)
  const mean = (values: Float64Array, width: number): Float64Array =>
    Float64Array.from({ length: width }, (_, column) => (values[column]! + values[width + column]!) / 2)
  const with3: NetworkStarters = {
    features: Float64Array.of(...pair.features, ...mean(pair.features, FEATURE_COUNT)),
    context: Float64Array.of(...pair.context, ...mean(pair.context, CONTEXT_COUNT)),
    jockeys: ['HK-J1', 'HK-J1', 'HK-J1'],
    trainers: [null, null, null],
  }
  const scores = scoresOf(network, with3)
  const parts = scoreParts(network, WEIGHTS, with3, [0.5, 0.5, 0])
  for (const row of [0, 1]) expect(sumOf(parts, row)).toBeCloseTo(scores[row]! - scores[2]!, 10)
  for (const part of parts) expect(part[2]).toBeCloseTo(0, 12)
})

test('without a network the parts are those of the linear model, to the offset', () => {
  const network = drawnModel(3, 0)
  const field = drawnField(6)
  const parts = scoreParts(network, WEIGHTS, field, evenly(6))
  for (const [index, group] of FEATURE_GROUPS.entries()) {
    for (let row = 0; row < 6; row += 1) {
      let sum = 0
      for (const [column, feature] of FEATURES.entries()) {
        if (feature.group === group) sum += WEIGHTS[column]! * field.features[row * FEATURE_COUNT + column]!
      }
      expect(parts[index]![row]).toBeCloseTo(OFFSET * sum, 12)
    }
  }
})

test('what all runners have alike, and what a network does not look at, gives nobody anything', () => {
  const network = drawnModel(3)
  const field = drawnField(4)
  const copy = {
    features: field.features.slice(),
    context: field.context.slice(),
    jockeys: ['HK-J2', 'HK-J2', 'HK-J2', 'HK-J2'],
    trainers: field.trainers,
  }
  const alike: FeatureGroup[] = ['jockey', 'gear', 'body']
  for (const [column, { group }] of FEATURES.entries()) {
    for (let row = 0; alike.includes(group) && row < 4; row += 1)
      copy.features[row * FEATURE_COUNT + column] = 0
  }
  for (const [column, { group }] of CONTEXT.entries()) {
    // No sum of quarters of this number is the number again.
    for (let row = 0; alike.includes(group) && row < 4; row += 1)
      copy.context[row * CONTEXT_COUNT + column] = 0.1
  }
  const parts = scoreParts(network, WEIGHTS, copy, evenly(4))
  for (const group of alike) expect([...partOf(parts, group)]).toEqual([0, 0, 0, 0])
  expect(partOf(parts, 'trainer').every((part) => part !== 0)).toBe(true)
})

test('few groups that differ are shared exactly', () => {
  const network = drawnModel(5)
  const field = drawnField(3)
  const changed = new Set<FeatureGroup>(['draw', 'weight', 'rest', 'trainer'])
  const keep = (values: Float64Array, columns: readonly { group: FeatureGroup }[]): Float64Array =>
    values.map((value, at) => (changed.has(columns[at % columns.length]!.group) ? value : 0))
  const few: NetworkStarters = {
    features: keep(field.features, FEATURES),
    context: keep(field.context, CONTEXT),
    jockeys: [null, null, null],
    trainers: field.trainers,
  }
  expect(scoreParts(network, WEIGHTS, few, only(3, 0))).toEqual(
    scoreParts(network, WEIGHTS, few, only(3, 0), exactShapley),
  )
})
