import { beforeAll, expect, test } from 'vitest'
import { readVersion, versionText, type ModelVersion } from '../../server/model/models/model-version.ts'
import { Network } from '../../server/model/models/network-model.ts'
import { NETWORK } from '../../server/scoring/fit-network.ts'
import { FIT, type FitSettings } from '../../server/scoring/fit-version.ts'
import { gatherFeatures, walkSeasons, type Gathered, type Walk } from '../../server/scoring/walk-forward.ts'
import { simulatedHistory } from '../support/simulated-history.ts'

const REGION = '100000'
const SMALL: FitSettings = {
  ...FIT,
  network: { ...NETWORK, width: 8, epochs: 2, leastStarts: 5, boost: { ...NETWORK.boost, trees: 4 } },
}
let gathered: Gathered
let walk: Walk
let fitted: ModelVersion[]
beforeAll(async () => {
  const results = simulatedHistory('2026-11-21', 420)
  gathered = await gatherFeatures({ regionId: REGION, results, formOnly: [] })
  walk = await walkSeasons({ regionId: REGION, fit: SMALL }, gathered)
  fitted = walk.versions.filter(({ network }) => network !== null)
})

test('a version with a network is the same text whenever it is fitted, also by a walk that is taken up again', async () => {
  expect(fitted.length).toBeGreaterThan(0)
  const again = await walkSeasons({ regionId: REGION, fit: SMALL }, gathered)
  expect(again.versions.map(versionText)).toEqual(walk.versions.map(versionText))
  const known = new Map(walk.versions.slice(0, -1).map((version) => [version.season, version]))
  const resumed = await walkSeasons({ regionId: REGION, fit: SMALL, known }, gathered)
  expect(resumed.versions.map(versionText)).toEqual(walk.versions.map(versionText))
})

test('what is read of its file predicts the same to the bit', async () => {
  const known = new Map(walk.versions.map((version) => [version.season, readVersion(versionText(version))]))
  const read = await walkSeasons({ regionId: REGION, known }, gathered)
  expect(read.chances.network).toEqual(walk.chances.network)
  expect(read.chances.network.some((chance) => chance > 0)).toBe(true)
})

test('only people of earlier seasons have rows of their own, and every race’s chances sum to 1', () => {
  for (const { season, network } of fitted) {
    const earlier = gathered.races.filter((race) => race.season < season)
    const jockeys = new Set(earlier.flatMap(({ starters }) => starters.map(({ jockeyId }) => jockeyId)))
    expect(network!.jockeys.length).toBeGreaterThan(3)
    for (const id of network!.jockeys) expect(jockeys.has(id)).toBe(true)
  }
  const { starts } = walk.data
  for (const index of walk.races.keys()) {
    const chances = walk.chances.network.subarray(starts[index], starts[index + 1])
    if (Number.isNaN(chances[0]!)) continue
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9)
  }
})

test('a network with parameters of another size is refused', () => {
  const { network } = fitted[0]!
  const { temperature: _temperature, exponents: _exponents, ...model } = network!
  expect(() => new Network({ ...model, width: 16 })).toThrow('parameters')
})
