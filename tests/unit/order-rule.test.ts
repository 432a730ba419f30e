import { expect, test } from 'vitest'
import { combinationProbabilities } from '../../domain/class-tables.ts'
import { USUAL_SHAPE } from '../../domain/order-rule.ts'
import { blendedModel, orderOf, readVersion, versionText } from '../../server/model/models/model-version.ts'

/** What a version's file says about the places behind the winner. */

const EXPONENTS = { second: 0.85, third: 0.74, fourth: 0.66 }
const fileOf = (market: object): string =>
  `${JSON.stringify({
    format: 2,
    regionId: '100000',
    season: 2024,
    trainedFrom: '2016-09-03',
    trainedTo: '2024-07-14',
    races: 6800,
    market: { power: 1.1, ...market },
    fundamental: null,
    network: null,
    blend: null,
  })}\n`

test('a version with stage exponents keeps them, byte for byte, and predicts by them', () => {
  const text = fileOf({ exponents: EXPONENTS })
  const version = readVersion(text)
  expect(versionText(version)).toBe(text)
  expect(orderOf(version.market)).toEqual(EXPONENTS)
  const win = [0.5, 0.3, 0.2]
  const second = combinationProbabilities(win, orderOf(version.market), 2)[5].probabilityOf([0, 1])
  expect(second).toBeCloseTo((0.5 * 0.3 ** 0.85) / (0.3 ** 0.85 + 0.2 ** 0.85), 12)
})

test('a file of before the network is read, predicts without one, and keeps its bytes', () => {
  const { network: _network, ...rest } = JSON.parse(fileOf({ exponents: EXPONENTS })) as Record<
    string,
    unknown
  >
  const blend = { fundamental: 0.13, market: 0.93, exponents: EXPONENTS }
  const text = `${JSON.stringify({ ...rest, format: 1, blend })}\n`
  const version = readVersion(text)
  expect(versionText(version)).toBe(text)
  expect(version.network).toBeUndefined()
  expect(blendedModel(version.blend!)).toBe('fundamental')
})

test('a version with a shape has it', () => {
  const text = fileOf({ shape: USUAL_SHAPE })
  expect(orderOf(readVersion(text).market)).toEqual({ shape: USUAL_SHAPE })
  expect(versionText(readVersion(text))).toBe(text)
})

test.each([[{}], [{ shape: 24, exponents: EXPONENTS }], [{ shape: 0 }], [{ shape: 33 }], [{ shape: 2.5 }]])(
  'a version with %j is refused',
  (market) => {
    expect(() => readVersion(fileOf(market))).toThrow()
  },
)
