import { beforeAll, describe, expect, test } from 'vitest'
import { normal, seededRandom } from '../../domain/random.ts'
import { BOOST, fitBoostedTrees, treeScores } from '../../server/model/models/boosted-trees.ts'
import type { Tree } from '../../server/model/models/tree.ts'
import {
  fitConditionalLogit,
  linearScores,
  type LogitFit,
} from '../../server/model/models/conditional-logit.ts'
import { choiceLikelihood, fitExponent, toPower, type Choice } from '../../server/model/models/exponent.ts'
import { racesOf, winProbabilities, type FieldData } from '../../server/model/models/field-data.ts'

const TRUE_WEIGHTS = [0.8, -0.5, 0]

/** Races drawn from a conditional logit with these weights; `score` may add a non-linear effect. */
function drawn(races: number, seed: number, score: (x: readonly number[]) => number): FieldData {
  const random = seededRandom(seed)
  const starts = [0]
  const values: number[] = []
  const first: number[] = []
  const second: number[] = []
  for (let race = 0; race < races; race += 1) {
    const field = Array.from({ length: 6 + Math.floor(random() * 8) }, () =>
      TRUE_WEIGHTS.map(() => normal(random)),
    )
    const base = starts.at(-1)!
    const rest = field.map((x, index) => ({ index, weight: Math.exp(score(x)) }))
    const draw = (): number => {
      let at = random() * rest.reduce((sum, { weight }) => sum + weight, 0)
      const found = rest.findIndex(({ weight }) => (at -= weight) < 0)
      return rest.splice(Math.max(0, found), 1)[0]!.index
    }
    first.push(base + draw())
    second.push(base + draw())
    values.push(...field.flat())
    starts.push(base + field.length)
  }
  return {
    starts: Int32Array.from(starts),
    values: Float64Array.from(values),
    width: TRUE_WEIGHTS.length,
    first: Int32Array.from(first),
    second: Int32Array.from(second),
  }
}

const linear = (x: readonly number[]): number =>
  x.reduce((sum, value, index) => sum + value * TRUE_WEIGHTS[index]!, 0)
const logLoss = (data: FieldData, scores: Float64Array): number => {
  const shares = winProbabilities(data, scores)
  return -data.first.reduce((sum, row) => sum + Math.log(shares[row]!), 0) / data.first.length
}

/** −ln of the runner-up's probability among those without the winner, summed over races. */
function secondLoss(data: FieldData, weights: Float64Array): number {
  const scores = linearScores(data, weights)
  let loss = 0
  for (const [race, second] of data.second.entries()) {
    let rest = 0
    for (let row = data.starts[race]!; row < data.starts[race + 1]!; row += 1) {
      if (row !== data.first[race]) rest += Math.exp(scores[row]!)
    }
    loss -= scores[second]! - Math.log(rest)
  }
  return loss
}

describe('the conditional logit', () => {
  const data = drawn(3000, 1, linear)
  let fit: LogitFit
  beforeAll(async () => {
    fit = await fitConditionalLogit(data, 0.001)
  })

  test('finds the weights that the races were drawn with, within three standard errors', () => {
    for (const [index, weight] of fit.weights.entries()) {
      expect(Math.abs(weight - TRUE_WEIGHTS[index]!)).toBeLessThan(3 * fit.standardErrors[index]!)
    }
    expect(fit.standardErrors[0]).toBeLessThan(0.03)
  })

  test('is at a maximum: no step along an axis is better', () => {
    const at = (weights: Float64Array): number =>
      -logLoss(data, linearScores(data, weights)) * data.first.length - secondLoss(data, weights)
    for (const index of TRUE_WEIGHTS.keys()) {
      for (const step of [-0.02, 0.02]) {
        const moved = fit.weights.slice()
        moved[index]! += step
        expect(at(moved)).toBeLessThan(at(fit.weights))
      }
    }
  })

  test('is the same to the bit whenever it is fitted, and from wherever it begins within rounding', async () => {
    expect((await fitConditionalLogit(data, 0.001)).weights).toEqual(fit.weights)
    const elsewhere = (await fitConditionalLogit(data, 0.001, Float64Array.of(2, 2, -2))).weights
    for (const [index, weight] of elsewhere.entries()) expect(weight).toBeCloseTo(fit.weights[index]!, 4)
  })

  test('a penalty draws the weights to zero', async () => {
    expect(Math.abs((await fitConditionalLogit(data, 10_000)).weights[0]!)).toBeLessThan(0.5)
  })

  test('a race without a single winner teaches nothing', async () => {
    const half = drawn(400, 9, linear)
    const cut = racesOf(half, 0, 200)
    const unknown = { ...half, first: half.first.map((row, race) => (race < 200 ? row : -1)) }
    const fitted = (await fitConditionalLogit(unknown, 1)).weights
    for (const [index, weight] of (await fitConditionalLogit(cut, 1)).weights.entries()) {
      expect(fitted[index]).toBeCloseTo(weight, 6)
    }
  })
})

describe('boosted trees', () => {
  const curved = (x: readonly number[]): number => linear(x) + (x[0]! > 0 && x[2]! > 0 ? 1.2 : 0)
  const train = drawn(3000, 2, curved)
  const nextSeason = drawn(2000, 3, curved)
  let weights: Float64Array
  let trees: Tree[]
  beforeAll(async () => {
    ;({ weights } = await fitConditionalLogit(train, 1))
    trees = await fitBoostedTrees(train, linearScores(train, weights), { ...BOOST, trees: 120 })
  })

  test('learn what no straight line can, on races that they had not seen', () => {
    const straight = linearScores(nextSeason, weights)
    const grown = treeScores(trees, nextSeason)
    const both = straight.map((score, row) => score + grown[row]!)
    expect(logLoss(nextSeason, both)).toBeLessThan(logLoss(nextSeason, straight) - 0.02)
  })

  test('read no features where there are to be none', async () => {
    const unread: FieldData = {
      ...train,
      get values(): never {
        throw new Error('features were read')
      },
    }
    expect(await fitBoostedTrees(unread, new Float64Array(0), { ...BOOST, trees: 0 })).toEqual([])
  })

  test('are the same to the bit whenever they are grown', async () => {
    expect(await fitBoostedTrees(train, linearScores(train, weights), { ...BOOST, trees: 120 })).toEqual(
      trees,
    )
  })

  test('find nothing where there is nothing: the loss on other races stays', async () => {
    const plain = drawn(3000, 4, linear)
    const other = drawn(2000, 5, linear)
    const own = (await fitConditionalLogit(plain, 1)).weights
    const straight = linearScores(other, own)
    const grown = treeScores(
      await fitBoostedTrees(plain, linearScores(plain, own), { ...BOOST, trees: 120 }),
      other,
    )
    const both = straight.map((score, row) => score + grown[row]!)
    expect(logLoss(other, both)).toBeLessThan(logLoss(other, straight) + 0.01)
  })
})

describe('the exponent of probabilities', () => {
  const data = drawn(3000, 6, linear)
  const right = winProbabilities(data, linearScores(data, Float64Array.from(TRUE_WEIGHTS)))
  const choicesOf = (power: number): Choice[] =>
    [...data.first].map((row, race) => {
      const [from, to] = [data.starts[race]!, data.starts[race + 1]!]
      return {
        logs: [...right.subarray(from, to)].map((share) => power * Math.log(share)),
        chosen: row - from,
      }
    })

  test('is 1 for the probabilities that the winners were drawn with', () => {
    const { exponent, standardError } = fitExponent(choicesOf(1))
    expect(Math.abs(exponent - 1)).toBeLessThan(3 * standardError)
  })

  test('undoes a power', () => {
    expect(fitExponent(choicesOf(2)).exponent).toBeCloseTo(fitExponent(choicesOf(1)).exponent / 2, 6)
  })

  test('is where the likelihood is highest', () => {
    const choices = choicesOf(1.4)
    const { exponent } = fitExponent(choices)
    for (const other of [exponent - 0.05, exponent + 0.05]) {
      expect(choiceLikelihood(choices, other)).toBeLessThan(choiceLikelihood(choices, exponent))
    }
  })

  test('is 1 where nothing can be learnt', () => {
    expect(fitExponent([]).exponent).toBe(1)
    expect(fitExponent([{ logs: [-1, -1], chosen: 0 }]).exponent).toBe(1)
  })

  test('no chance is nothing, however sure the model is', () => {
    const shares = toPower([1, 1e-90, 1e-200], 1)
    expect(Math.min(...shares)).toBeGreaterThan(9e-7)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
  })

  test('a power keeps the sum', () => {
    const shares = toPower([0.5, 0.3, 0.2], 1.06)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
    expect(shares[0]).toBeGreaterThan(0.5)
  })
})
