import { expect, test } from 'vitest'
import type { ModelId } from '../../contract/model-ids.ts'
import { raceOutcome } from '../../domain/settlement.ts'
import { settledTables } from '../../server/dataset/settled-rows.ts'
import type { ChanceRow, SettledRace, SettledRows } from '../../server/store/racing/settled/settled-store.ts'

const WIN = [0.5, 0.3, 0.2]
const RACE: SettledRace = {
  status: 'final',
  key: 1,
  id: 'race',
  date: '2020-09-06',
  season: 2020,
  stadiumKey: 1,
  raceNo: 1,
  track: null,
  course: null,
  going: null,
  firstGoing: null,
  distanceM: 1200,
  raceClass: null,
  starters: 3,
  places: 2,
  outcome: raceOutcome(
    WIN.map((_, index) => ({ horseNo: index + 1, place: index + 1, started: true })),
    2,
    [],
  ),
  position: null,
}
const chanceOf = (model: ModelId, horseNo: number): ChanceRow => ({
  raceKey: 1,
  model,
  origin: 'locked',
  horseNo,
  probability: WIN[horseNo - 1]!,
  horseKey: null,
  jockeyKey: null,
  trainerKey: null,
  draw: null,
  rating: null,
  weightLb: null,
  bodyWeightLb: null,
  gear: null,
  age: null,
  sex: null,
  owner: null,
  place: horseNo,
  winOdds: null,
  openingOdds: null,
  lateOdds: null,
})
/** An exacta that was locked with an order rule of its time. */
const textOf = (model: ModelId, probability: number) => ({
  raceKey: 1,
  model,
  origin: 'locked' as const,
  lines: `5 1 1-2 ${probability} t f f hit 1000 - f`,
})
const ROWS: SettledRows = {
  races: new Map([[1, RACE]]),
  predictions: [textOf('market-baseline', 0.123), textOf('fundamental', 0.2)],
  chances: ([1, 2, 3] as const).flatMap((horseNo) => [
    chanceOf('market-baseline', horseNo),
    chanceOf('fundamental', horseNo),
  ]),
  earlier: new Map(),
  asRun: [],
  orders: new Map([[2020, { shape: 1 }]]),
}

test('beside each prediction stands the market’s chance of it by the order of its season', () => {
  const rows = [...settledTables('100000', ROWS).predictions()].map(([, row]) => row)
  expect(rows.map(({ model, probability }) => [model, probability])).toEqual([
    ['market-baseline', 0.123],
    ['fundamental', 0.2],
  ])
  // With shape 1 the second is the best of the rest by chance: 0.5 × 0.3 / (1 − 0.5).
  for (const { marketProbability } of rows) expect(marketProbability).toBeCloseTo(0.3, 6)
})

test('rows are only those that are shown, starters also of one model', () => {
  const tables = settledTables('100000', ROWS, ({ model }) => model !== 'market-baseline')
  expect([...tables.models]).toEqual(['market-baseline', 'fundamental'])
  expect([...tables.predictions()].map(([, { model }]) => model)).toEqual(['fundamental'])
  expect([...tables.starters()].length).toBe(6)
  expect([...tables.starters('fundamental')].map(([, , { horseNo }]) => horseNo)).toEqual([1, 2, 3])
})
