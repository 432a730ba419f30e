import { beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../domain/languages.ts'
import { seededRandom } from '../../domain/random.ts'
import {
  computeFeatures,
  computeInputs,
  FEATURE_COUNT,
  FEATURES,
} from '../../server/model/features/catalogue.ts'
import { FEATURE_GROUPS } from '../../server/model/features/groups.ts'
import { learnDay } from '../../server/model/features/learn.ts'
import { packState, unpackState } from '../../server/model/features/pack.ts'
import { emptyState, type FeatureState } from '../../server/model/features/state.ts'
import { toDays, type PastRace } from '../../server/model/features/history.ts'
import { FIT, type FitSettings } from '../../server/scoring/fit-version.ts'
import { NETWORK } from '../../server/scoring/fit-network.ts'
import { walkForward } from '../../server/scoring/walk-forward.ts'
import type { PricedRace } from '../../server/store/racing/history-store.ts'
import { serverMessage } from '../../server/process/messages.ts'
import { sameNumbers } from '../support/same-numbers.ts'
import { simulatedHistory } from '../support/simulated-history.ts'

type Inputs = ReturnType<typeof computeInputs>

/** Features and context of every race, from the state of the days before it. */
function inputsOf(
  races: readonly PastRace[],
  through: (state: FeatureState) => FeatureState = (state) => state,
): Map<string, Inputs> {
  let state = emptyState()
  const inputs = new Map<string, Inputs>()
  for (const day of toDays(races)) {
    for (const race of day.races) inputs.set(race.id, computeInputs(state, race))
    learnDay(state, day)
    state = through(state)
  }
  return inputs
}

const expectSame = (inputs: Inputs | undefined, as: Inputs, id: string): void => {
  expect(sameNumbers(inputs!.features, as.features), `features of ${id}`).toBe(true)
  expect(sameNumbers(inputs!.context, as.context), `context of ${id}`).toBe(true)
}

let races: PastRace[]
let expected: Map<string, Inputs>
beforeAll(() => {
  races = simulatedHistory('2026-11-21', 350)
  expected = inputsOf(races)
})

test('most features and facts of the context differ between horses, so that what follows can fail', () => {
  const { features: last, context } = expected.get(races.at(-1)!.id)!
  const columns = FEATURES.filter((_, column) =>
    Array.from({ length: last.length / FEATURE_COUNT }, (__, row) => last[row * FEATURE_COUNT + column]).some(
      (value) => value !== 0,
    ),
  )
  expect(columns.length).toBeGreaterThan(40)
  expect(new Set(context).size).toBeGreaterThan(20)
})

describe('no feature and no context knows what came after', () => {
  const day = (): string => races[Math.floor(races.length * 0.7)]!.date
  const sameOn = (inputs: Map<string, Inputs>, date: string): void => {
    const that = races.filter((race) => race.date === date)
    expect(that.length).toBeGreaterThan(3)
    for (const { id } of that) expectSame(inputs.get(id), expected.get(id)!, id)
  }

  test('with the day’s results blanked and later races removed, they are the same to the bit', () => {
    const until = races
      .filter(({ date }) => date <= day())
      .map((race) =>
        race.date < day()
          ? race
          : {
              ...race,
              starters: race.starters.map((starter) => ({
                ...starter,
                place: null,
                timeMs: null,
                calls: null,
              })),
            },
      )
    sameOn(inputsOf(until), day())
  })

  test('with the day’s results and later races changed at random, they are the same to the bit', () => {
    const random = seededRandom(11)
    const changed = races.map((race) =>
      race.date < day()
        ? race
        : {
            ...race,
            starters: race.starters.map((starter) => ({
              ...starter,
              place: 1 + Math.floor(random() * 14),
              timeMs: 60_000 + Math.floor(random() * 60_000),
              // The day's own card is unchanged; later cards may contain anything.
              ...(race.date === day()
                ? {}
                : { rating: Math.floor(random() * 100), draw: 1 + Math.floor(random() * 14) }),
            })),
          },
    )
    sameOn(inputsOf(changed), day())
  })

  test('a changed result of the day before does change them', () => {
    const before = races.findLast(({ date }) => date < day())!.date
    const changed = races.map((race) =>
      race.date === before
        ? {
            ...race,
            starters: race.starters.map((starter, index) => ({
              ...starter,
              place: index + 1,
              timeMs: 70_000 + index,
            })),
          }
        : race,
    )
    const inputs = inputsOf(changed)
    const that = races.filter(({ date }) => date === day())
    const differs = ({ id }: PastRace): boolean => {
      const { features: before } = expected.get(id)!
      return inputs.get(id)!.features.some((value, at) => value !== before[at])
    }
    expect(that.some(differs)).toBe(true)
  })
})

test('walked forward, a day is predicted the same to the bit without its results, without what came after, at any odds', async () => {
  const whole = simulatedHistory('2026-11-21', 420)
  const date = whole[Math.floor(whole.length * 0.92)]!.date
  const cut = whole
    .filter((race) => race.date <= date)
    .map((race) =>
      race.date < date
        ? race
        : {
            ...race,
            odds: new Map([...race.odds].map(([horseNo, odds]) => [horseNo, odds * (1 + horseNo)])),
            starters: race.starters.map((starter) => ({
              ...starter,
              place: null,
              timeMs: null,
              calls: null,
            })),
          },
    )
  const chancesOf = async (results: PricedRace[]): Promise<Map<string, number[]>> => {
    const fit: FitSettings = {
      ...FIT,
      network: { ...NETWORK, width: 8, epochs: 2, leastStarts: 5, boost: { ...NETWORK.boost, trees: 5 } },
    }
    const {
      races: walked,
      data,
      chances,
    } = await walkForward({
      regionId: '100000',
      results,
      formOnly: [],
      fit,
    })
    return new Map(
      walked.map(({ id }, index) => {
        const rows = [data.starts[index], data.starts[index + 1]] as const
        return [id, [...chances.fundamental.subarray(...rows), ...chances.network.subarray(...rows)]]
      }),
    )
  }
  const known = await chancesOf(whole)
  const blind = await chancesOf(cut)
  const that = cut.filter((race) => race.date === date)
  expect(that.length).toBeGreaterThan(5)
  for (const { id } of that) {
    expect(Math.min(...known.get(id)!)).toBeGreaterThan(0)
    expect(blind.get(id), id).toEqual(known.get(id))
  }
})

test('the order of rows in a file changes nothing', () => {
  const random = seededRandom(5)
  const shuffle = <Item>(items: readonly Item[]): Item[] =>
    items
      .map((item) => ({ item, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item)
  const inputs = inputsOf(shuffle(races).map((race) => ({ ...race, starters: shuffle(race.starters) })))
  expect(inputs.size).toBe(expected.size)
  for (const [id, values] of expected) expectSame(inputs.get(id), values, id)
})

test('a state that was written down and taken up again gives the same features', () => {
  const inputs = inputsOf(races, (state) => (state.day! % 30 === 0 ? unpackState(packState(state))! : state))
  for (const [id, values] of expected) expectSame(inputs.get(id), values, id)
})

test('a day is learnt once, and only what is past is looked back on', () => {
  const [first] = toDays(races)
  const state = emptyState()
  learnDay(state, first!)
  expect(() => learnDay(state, first!)).toThrow('in the state already')
  expect(() => computeFeatures(state, first!.races[0]!)).toThrow('knows')
})

test('features are against the mean of the race: each column sums to nothing', () => {
  const { features: values } = expected.get(races.at(-1)!.id)!
  const rows = values.length / FEATURE_COUNT
  for (let column = 0; column < FEATURE_COUNT; column += 1) {
    let sum = 0
    for (let row = 0; row < rows; row += 1) sum += values[row * FEATURE_COUNT + column]!
    expect(Math.abs(sum), FEATURES[column]!.key).toBeLessThan(1e-9)
  }
})

test('every feature has a name, a reason, a unit, a source and a group of its own kind', () => {
  expect(new Set(FEATURES.map(({ key }) => key)).size).toBe(FEATURE_COUNT)
  for (const { key, group, unit, source } of FEATURES) {
    for (const language of LANGUAGES) {
      for (const id of [`feature.${key}`, `featureWhy.${key}`, `unit.${unit}`]) {
        expect(serverMessage(language, id), `${language} ${id}`).not.toBe(id)
      }
    }
    expect(FEATURE_GROUPS).toContain(group)
    expect(source).not.toBe('')
  }
  // Neither odds nor anything derived from them.
  expect(FEATURES.some(({ source, key }) => /odds|dividend/i.test(source + key))).toBe(false)
})
