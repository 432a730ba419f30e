import { beforeAll, describe, expect, test } from 'vitest'
import { seededRandom } from '../../domain/random.ts'
import {
  blendedModel,
  readVersion,
  versionText,
  type ModelVersion,
} from '../../server/model/models/model-version.ts'
import { blendProbabilities } from '../../server/model/models/predict.ts'
import { Network } from '../../server/model/models/network-model.ts'
import { NETWORK } from '../../server/scoring/fit-network.ts'
import { FIT, type FitSettings } from '../../server/scoring/fit-version.ts'
import { gatherFeatures, walkSeasons, type Gathered, type Walk } from '../../server/scoring/walk-forward.ts'
import type { PricedRace } from '../../server/store/racing/history-store.ts'
import { sameNumbers } from '../support/same-numbers.ts'
import { simulatedHistory } from '../support/simulated-history.ts'

const REGION = '100000'
const SMALL: FitSettings = {
  ...FIT,
  network: { ...NETWORK, width: 8, epochs: 2, leastStarts: 5, boost: { ...NETWORK.boost, trees: 4 } },
}
const gathering = (races: PricedRace[]): Promise<Gathered> =>
  gatherFeatures({ regionId: REGION, results: races, formOnly: [] })
let results: PricedRace[]
let gathered: Gathered
let walk: Walk
let fitted: ModelVersion[]
beforeAll(async () => {
  results = simulatedHistory('2026-11-21', 330)
  gathered = await gathering(results)
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

describe('the blend', () => {
  /** The same races as three seasons, so that the last one has predictions of an earlier one to learn from. */
  const inThree = (): Gathered => ({
    ...gathered,
    races: gathered.races.map((race, index) => ({
      ...race,
      season: 2024 + Math.floor((3 * index) / gathered.races.length),
    })),
  })
  const expectBlendOf = (of: Walk, season: number, model: 'fundamental' | 'network'): void => {
    const { blend } = of.versions.find((version) => version.season === season)!
    expect(blendedModel(blend!)).toBe(model)
    let blended = 0
    for (const [index, race] of of.races.entries()) {
      const rows = [of.data.starts[index], of.data.starts[index + 1]] as const
      const market = of.chances['market-baseline'].subarray(...rows)
      if (race.season !== season || Number.isNaN(market[0]!)) continue
      const own = of.chances[model].subarray(...rows)
      const expected = blendProbabilities(blend!, [...own], [...market])
      expect([...of.chances.blended.subarray(...rows)]).toEqual(expected)
      blended += 1
    }
    expect(blended).toBeGreaterThan(100)
  }

  test('is of the network where earlier networks predicted enough, and the version says so', async () => {
    const three = await walkSeasons({ regionId: REGION, fit: SMALL }, inThree())
    expect(three.versions.map(({ blend }) => blend?.model)).toEqual([undefined, 'network'])
    expectBlendOf(three, 2026, 'network')
    // Of the network's predictions, not the linear model's: the exponents differ.
    const linear = await walkSeasons({ regionId: REGION, fit: { ...SMALL, network: null } }, inThree())
    expect(linear.versions.at(-1)!.blend).toMatchObject({ model: 'fundamental' })
    expect(linear.versions.at(-1)!.blend!.fundamental).not.toBe(three.versions.at(-1)!.blend!.fundamental)
    expectBlendOf(linear, 2026, 'fundamental')
    // A version of before the network's blend keeps its text, and blends the linear model.
    const { model: _model, ...before } = three.versions.at(-1)!.blend!
    const stored = versionText({ ...three.versions.at(-1)!, blend: before })
    expect(versionText(readVersion(stored))).toBe(stored)
    const known = new Map(three.versions.map((version) => [version.season, version]))
    known.set(2026, readVersion(stored))
    const read = await walkSeasons({ regionId: REGION, known }, inThree())
    expectBlendOf(read, 2026, 'fundamental')
  })
})

test('a network with parameters of another size is refused', () => {
  const { network } = fitted[0]!
  const { temperature: _temperature, ...model } = network!
  expect(() => new Network({ ...model, width: 16 })).toThrow('parameters')
})

describe('what comes later changes nothing before', () => {
  const shuffled = <Item>(items: readonly Item[], random: () => number): Item[] =>
    items
      .map((item) => ({ item, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item)

  /** Chances without odds of each race before or on a day, from a walk. */
  const chancesUntil = ({ races, data, chances }: Walk, day: string): Map<string, number[]> =>
    new Map(
      races.flatMap(({ id, date }, index) => {
        const rows = [data.starts[index], data.starts[index + 1]] as const
        const own = [...chances.fundamental.subarray(...rows), ...chances.network.subarray(...rows)]
        return date <= day && !Number.isNaN(own[0]!) ? [[id, own] as const] : []
      }),
    )

  /** The places of the races from a day on, dealt out at random. */
  const dealtFrom = (day: string): PricedRace[] => {
    const random = seededRandom(9)
    return results.map((race) => {
      if (race.date < day) return race
      const finishes = shuffled(race.starters, random)
      return {
        ...race,
        starters: race.starters.map((starter, index) => {
          const { place, timeMs, calls } = finishes[index]!
          return { ...starter, place, timeMs, calls }
        }),
      }
    })
  }

  const expectSameUntil = async (day: string): Promise<void> => {
    const known = walk.versions.filter((version) => version.trainedTo < day)
    expect(known.at(-1)).toBe(fitted.at(-1))
    const changed = dealtFrom(day)
    expect(changed).not.toEqual(results)
    const other = await walkSeasons({ regionId: REGION, fit: SMALL }, await gathering(changed))
    expect(other.versions.slice(0, known.length).map(versionText)).toEqual(known.map(versionText))
    const chances = chancesUntil(walk, day)
    expect(chances.size).toBeGreaterThan(5)
    expect(chancesUntil(other, day)).toEqual(chances)
  }

  test('neither the results of a later season', () => {
    const { season } = fitted.at(-1)!
    return expectSameUntil(results.find((race) => race.season === season)!.date)
  })

  test('nor those of the last day', () =>
    expectSameUntil(
      results
        .map(({ date }) => date)
        .toSorted()
        .at(-1)!,
    ))

  test('nor the order in which races and starters were imported', async () => {
    const random = seededRandom(10)
    const disordered = shuffled(results, random).map((race) => ({
      ...race,
      starters: shuffled(race.starters, random),
    }))
    const { races, data, context } = await gathering(disordered)
    const listed = (list: readonly PricedRace[]) =>
      list.map(({ id, starters }) => [id, ...starters.map(({ jockeyId }) => jockeyId)])
    expect(listed(races)).toEqual(listed(gathered.races))
    expect(sameNumbers(data.values, gathered.data.values)).toBe(true)
    expect(sameNumbers(context, gathered.context)).toBe(true)
    for (const place of ['first', 'second'] as const) expect(data[place]).toEqual(gathered.data[place])
  })

  test('nor who a jockey or trainer is that no earlier season knew: all have the same row', async () => {
    const { season } = fitted.at(-1)!
    const date = results.find((race) => race.season === season)!.date
    const chancesWith = async (name: string): Promise<Map<string, number[]>> => {
      const renamed = results.flatMap((race) => {
        if (race.date > date) return []
        const [first, ...others] = race.starters
        const unknown = { ...first!, jockeyId: `HK-jockey ${name}`, trainerId: `HK-trainer ${name}` }
        return [race.date < date ? race : { ...race, starters: [unknown, ...others] }]
      })
      const known = new Map(walk.versions.map((version) => [version.season, version]))
      return chancesUntil(await walkSeasons({ regionId: REGION, known }, await gathering(renamed)), date)
    }
    const chances = await chancesWith('A')
    expect(chances.size).toBeGreaterThan(5)
    expect(chances).not.toEqual(chancesUntil(walk, date))
    expect(await chancesWith('Z')).toEqual(chances)
  })

  test('the results of the season before do count, so that this can fail', async () => {
    const { season } = fitted.at(-1)!
    const day = results.find((race) => race.season === season - 1)!.date
    const other = await walkSeasons({ regionId: REGION, fit: SMALL }, await gathering(dealtFrom(day)))
    expect(versionText(other.versions.at(-1)!)).not.toBe(versionText(walk.versions.at(-1)!))
  })
})
