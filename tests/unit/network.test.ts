import { beforeAll, describe, expect, test } from 'vitest'
import { normal, seededRandom } from '../../domain/random.ts'
import { exactExponential } from '../../server/model/models/exact-exponential.ts'
import { addProduct } from '../../server/model/models/matrix-product.ts'
import { networkScores, type NetworkShape } from '../../server/model/models/network.ts'
import {
  cycleAt,
  firstParameters,
  NetworkSlope,
  trainNetwork,
  type NetworkRaces,
  type NetworkSettings,
} from '../../server/model/models/network-training.ts'
import { trainNetworks } from '../../server/scoring/train-networks.ts'
import { drawnRaces } from '../support/drawn-races.ts'

const SHAPE: NetworkShape = { inputs: 5, traits: 3, width: 8, jockeys: 4, trainers: 3 }
const SETTINGS: NetworkSettings = { epochs: 6, batch: 32, rate: 0.01, decay: 0.01, dropout: 0.1 }

/** Mean −ln of the winner's probability. */
function winnerLoss({ starts, places }: NetworkRaces, scores: Float64Array): number {
  let loss = 0
  for (const [race, winner] of places[0].entries()) {
    const field = scores.subarray(starts[race], starts[race + 1])
    loss += Math.log(field.reduce((sum, score) => sum + Math.exp(score), 0)) - scores[winner]!
  }
  return loss / places[0].length
}

test('the exact exponential is the exponential to two units in the last place, and 0 far below', () => {
  const random = seededRandom(3)
  expect(exactExponential(0)).toBe(1)
  expect(exactExponential(-1000)).toBe(0)
  let most = 0
  for (let index = 0; index < 20_000; index += 1) {
    const x = -random() * (index % 2 === 0 ? 3 : 690)
    most = Math.max(most, Math.abs(exactExponential(x) / Math.exp(x) - 1))
  }
  expect(most).toBeLessThan(5e-16)
})

test('a product is that of a plain loop, of a matrix as it is and turned', () => {
  const random = seededRandom(4)
  const [rows, columns, depth] = [6, 8, 5]
  const right = Float64Array.from({ length: depth * columns }, () => normal(random))
  const left = Float64Array.from({ length: rows * depth }, () => normal(random))
  const turned = Float64Array.from(left, (_, at) => left[(at % rows) * depth + Math.floor(at / rows)]!)
  const plain = new Float64Array(rows * columns).fill(1)
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      for (let step = 0; step < depth; step += 1) {
        plain[row * columns + column]! += left[row * depth + step]! * right[step * columns + column]!
      }
    }
  }
  for (const [matrix, rowStep, depthStep] of [
    [left, depth, 1],
    [turned, 1, rows],
  ] as const) {
    const into = new Float64Array(rows * columns).fill(1)
    addProduct(rows, columns, depth, matrix, rowStep, depthStep, right, into)
    for (const [at, value] of into.entries()) expect(value).toBeCloseTo(plain[at]!, 12)
  }
})

test('the step size rises, falls, and never leaps', () => {
  const shares = Array.from({ length: 1001 }, (_, index) => cycleAt(index / 1000))
  expect(Math.max(...shares)).toBeCloseTo(1, 6)
  expect(shares[0]).toBeCloseTo(0.04, 6)
  expect(shares.at(-1)).toBeLessThan(1e-5)
  for (const [index, share] of shares.slice(1).entries()) {
    expect(Math.abs(share - shares[index]!)).toBeLessThan(0.01)
  }
})

describe('the gradient', () => {
  const races = drawnRaces(SHAPE, 11, 5, (x) => x[0]!)
  // A dead heat for third, one for second, and a race without a winner.
  races.places[2][1] = -1
  races.places[1][2] = -1
  races.places[0][3] = -1
  for (const row of races.offset.keys()) races.offset[row] = Math.sin(row)
  const order = Int32Array.from(races.places[0].keys())

  test('is that of finite differences for every parameter, also of a field of dropped units', () => {
    for (const share of [0, 0.4]) {
      const dropout = () => (share === 0 ? null : { share, random: seededRandom(8) })
      const slope = new NetworkSlope(SHAPE, races)
      const parameters = firstParameters(SHAPE, seededRandom(6))
      slope.at(parameters, order, 0, order.length, dropout())
      const exact = slope.gradient.slice()
      expect(exact.filter((value) => value !== 0).length).toBeGreaterThan(60)
      for (const at of parameters.keys()) {
        const kept = parameters[at]!
        const step = 1e-6
        parameters[at] = kept + step
        const above = slope.at(parameters, order, 0, order.length, dropout())
        parameters[at] = kept - step
        const below = slope.at(parameters, order, 0, order.length, dropout())
        parameters[at] = kept
        expect(Math.abs((above - below) / (2 * step) - exact[at]!), `parameter ${at}`).toBeLessThan(1e-7)
      }
    }
  })

  test('of a batch is the mean of its races’', () => {
    const slope = new NetworkSlope(SHAPE, races)
    const parameters = firstParameters(SHAPE, seededRandom(6))
    const sum = new Float64Array(parameters.length)
    for (const at of order.keys()) {
      slope.at(parameters, order, at, at + 1, null)
      for (const [index, value] of slope.gradient.entries()) sum[index]! += value / order.length
    }
    slope.at(parameters, order, 0, order.length, null)
    for (const [index, value] of slope.gradient.entries()) expect(value).toBeCloseTo(sum[index]!, 12)
  })
})

describe('a network', () => {
  const curved = (x: readonly number[], jockey: number): number =>
    x[0]! + (x[1]! > 0 && x[2]! > 0 ? 1.5 : 0) + (jockey === 2 ? 1 : 0)
  const train = drawnRaces(SHAPE, 2500, 1, curved)
  const other = drawnRaces(SHAPE, 1500, 2, curved)
  for (const races of [train, other]) {
    for (const row of races.offset.keys()) races.offset[row] = races.values[row * SHAPE.inputs]!
  }
  let parameters: Float64Array
  beforeAll(async () => {
    parameters = await trainNetwork(SHAPE, train, SETTINGS, 1)
  })

  test('learns what no straight line can, and who rides, on races that it had not seen', () => {
    const scores = networkScores(SHAPE, parameters, other)
    const both = other.offset.map((score, row) => score + scores[row]!)
    expect(winnerLoss(other, both)).toBeLessThan(winnerLoss(other, other.offset) - 0.08)
  })

  test('is the same to the byte whenever it is trained, and another with another seed', async () => {
    const settings = { ...SETTINGS, epochs: 2 }
    const [once, again, elsewhere] = [
      await trainNetwork(SHAPE, train, settings, 1),
      await trainNetwork(SHAPE, train, settings, 1),
      await trainNetwork(SHAPE, train, settings, 2),
    ]
    expect(Buffer.from(again.buffer).equals(Buffer.from(once.buffer))).toBe(true)
    expect(elsewhere).not.toEqual(once)
  })

  test('is the same to the byte in any number of threads', async () => {
    const settings = { ...SETTINGS, epochs: 1 }
    const task = { shape: SHAPE, races: train, settings, seeds: [1, 2, 3] }
    const alone = await trainNetworks(task, 1)
    expect(alone[2]).toEqual(await trainNetwork(SHAPE, train, settings, 3))
    for (const threads of [2, 3]) expect(await trainNetworks(task, threads)).toEqual(alone)
  })

  test('that fails in its thread ends the training with its error', async () => {
    // Only the second thread gets the seed that is no number.
    const seeds = [1, 2n as unknown as number]
    const task = { shape: SHAPE, races: train, settings: { ...SETTINGS, epochs: 1 }, seeds }
    await expect(trainNetworks(task, 2)).rejects.toThrow('BigInt')
  })

  test('a score does not depend on which starters are computed with it', () => {
    const whole = networkScores(SHAPE, parameters, other)
    const [from, to] = [other.starts[400]!, other.starts[401]!]
    const one = networkScores(SHAPE, parameters, {
      values: other.values.subarray(from * SHAPE.inputs, to * SHAPE.inputs),
      jockeys: other.jockeys.subarray(from, to),
      trainers: other.trainers.subarray(from, to),
    })
    expect(one).toEqual(whole.slice(from, to))
  })

  test('races without a single winner teach nothing', async () => {
    const settings = { ...SETTINGS, epochs: 1 }
    const cut = { ...train, places: [train.places[0].slice(), train.places[1], train.places[2]] as const }
    for (let race = 2000; race < 2500; race += 1) cut.places[0][race] = -1
    const fewer = {
      ...train,
      starts: train.starts.slice(0, 2001),
      places: [0, 1, 2].map((place) =>
        train.places[place]!.slice(0, 2000),
      ) as unknown as NetworkRaces['places'],
    }
    expect(await trainNetwork(SHAPE, cut, settings, 3)).toEqual(await trainNetwork(SHAPE, fewer, settings, 3))
  })
})
