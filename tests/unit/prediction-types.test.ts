import { expect, test } from 'vitest'
import { combinationProbabilities } from '../../domain/class-tables.ts'
import { chooseCombinations } from '../../domain/prediction-types.ts'
import { predictLines, type PredictionLine } from '../../server/model/lines.ts'
import { marketChances, type PricedRunner } from '../../server/scoring/market-baseline.ts'
import { DEFAULT_ORDER } from '../../server/model/models/model-version.ts'

const predictFromMarket = (runners: readonly PricedRunner[], places: number): PredictionLine[] =>
  predictLines(marketChances(runners, { power: 1.06 }), DEFAULT_ORDER, places)

const WIN = [0.35, 0.3, 0.15, 0.1, 0.06, 0.04]
const PLAIN_HARVILLE = { second: 1, third: 1, fourth: 1 }
const tables = combinationProbabilities(WIN, PLAIN_HARVILLE, 2)

test('selected is the most probable, cautious the most probable with the favourite', () => {
  const chosen = chooseCombinations(tables[5], { favourite: 3, upset: () => null })
  expect(chosen[0]!.types).toEqual([1])
  const cautious = chosen.find(({ types }) => types.includes(2))!
  expect(cautious.horses).toContain(3)
  const withFourth = tables[5].all().filter(({ horses }) => horses.includes(3))
  expect(cautious.probability).toBe(Math.max(...withFourth.map(({ probability }) => probability)))
})

test('upset guard has the largest expected value among those of half the top probability', () => {
  const odds = [2, 2.5, 9, 30, 40, 60]
  const chosen = chooseCombinations(tables[1], { favourite: 0, upset: ([horse]) => odds[horse!]! })
  // Horse 2 (0.15) is below half of 0.35, so its better value does not count.
  expect(chosen.find(({ types }) => types.includes(3))!.horses).toEqual([1])
})

test('without a market nothing is cautious', () => {
  expect(
    chooseCombinations(tables[3], { favourite: null, upset: 'none' }).some(({ types }) => types.includes(2)),
  ).toBe(false)
})

test('without odds there is no upset guard', () => {
  expect(
    chooseCombinations(tables[3], { favourite: 0, upset: () => null }).some(({ types }) => types.includes(3)),
  ).toBe(false)
})

test('a type outside the first ten is kept beside them', () => {
  const chosen = chooseCombinations(tables[9], { favourite: 5, upset: () => null })
  expect(chosen).toHaveLength(11)
  expect(chosen[10]!.types).toEqual([2])
  expect(chosen.map(({ rank }) => rank)).toEqual(Array.from({ length: 11 }, (_, index) => index + 1))
})

test('the market line does not depend on the order of rows', () => {
  const runners = [4, 2, 9, 1, 6].map((horseNo, index) => ({ horseNo, winOdds: 2 + index * 1.5 }))
  expect(predictFromMarket(runners.toReversed(), 2)).toEqual(predictFromMarket(runners, 2))
})

test('the market’s first choice is the favourite, at the odds that were seen', () => {
  const [first] = predictFromMarket(
    [
      { horseNo: 7, winOdds: 5 },
      { horseNo: 3, winOdds: 1.9 },
      { horseNo: 5, winOdds: 8 },
    ],
    0,
  )
  expect(first).toMatchObject({
    gameplayClass: 1,
    rank: 1,
    combination: '3',
    oddsSeen: 1.9,
    types: [1, 2, 3],
  })
})

test('one priced runner makes no line', () => {
  expect(predictFromMarket([{ horseNo: 1, winOdds: 2 }], 3)).toEqual([])
})

test('a model without odds chooses by itself: its own favourite, and the longest shot of half the top chance', () => {
  const priced = (odds: readonly number[]) =>
    predictLines(
      WIN.map((win, index) => ({ horseNo: index + 1, win, winOdds: odds[index]! })),
      PLAIN_HARVILLE,
      2,
      'model',
    ).map(({ oddsSeen: _shown, ...line }) => line)
  const lines = priced([2, 3, 4, 5, 6, 7])
  expect(priced([70, 60, 50, 40, 30, 1.1])).toEqual(lines)
  const win = lines.filter(({ gameplayClass }) => gameplayClass === 1)
  expect(win.find(({ types }) => types.includes(2))!.combination).toBe('1')
  // 0.3 is the smallest probability that is at least half of 0.35.
  expect(win.find(({ types }) => types.includes(3))!.combination).toBe('2')
})
