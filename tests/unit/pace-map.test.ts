import { expect, test } from 'vitest'
import { rankCorrelation } from '../../domain/rank-correlation.ts'
import { paceMap } from '../../server/model/features/pace-map.ts'
import { measureSeason } from '../../server/services/pace-record.ts'

const runs = (...early: (number | null)[]) => early.map((each) => ({ early: each }))

test('a horse is expected where it usually was, shrunk to the middle', () => {
  const { starters, leaders, pressure } = paceMap([
    { horseNo: 1, runs: runs(0, 0, 0, 0, 0, 0) },
    { horseNo: 2, runs: [] },
    { horseNo: 3, runs: runs(null, 1) },
  ])
  // Weights 1, 0.85, 0.85² … of the runs, the newest first, and two runs at 0.5.
  const weight = (1 - 0.85 ** 6) / 0.15
  expect(starters[0]!.early).toBeCloseTo(1 / (2 + weight), 10)
  expect(starters[1]).toMatchObject({ early: 0.5, runs: 0, rank: 2, leads: false })
  expect(starters[1]!.low).toBeCloseTo(0.5 - Math.sqrt(1 / 12), 10)
  expect(starters[2]).toMatchObject({ early: (1 + 1) / 3, runs: 1, rank: 3 })
  expect(starters[0]).toMatchObject({ runs: 6, rank: 1, leads: true, low: 0 })
  expect(leaders).toBe(1)
  expect(pressure).toBeCloseTo(1 - (1 / (2 + weight) + 0.5 + 2 / 3) / 3, 10)
})

test('a horse that always ran alike is placed with more certainty than one that did not', () => {
  const [alike, mixed] = paceMap([
    { horseNo: 1, runs: runs(0.5, 0.5, 0.5, 0.5) },
    { horseNo: 2, runs: runs(0, 1, 0, 1) },
  ]).starters
  expect(alike!.high - alike!.low).toBeLessThan(mixed!.high - mixed!.low)
  expect(paceMap([])).toEqual({ leaders: 0, pressure: 0, starters: [] })
})

test('the rank correlation is Spearman’s, equal values sharing their ranks', () => {
  // By hand: the differences of the ranks are 1, 1, 1, 1, 0: 1 − 6 × 4 / (5 × 24).
  expect(rankCorrelation([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])).toBeCloseTo(0.8, 10)
  expect(rankCorrelation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 10)
  // Ranks 1.5, 1.5, 3 and 1, 2, 3.
  expect(rankCorrelation([1, 1, 2], [1, 2, 3])).toBeCloseTo(1.5 / Math.sqrt(1.5 * 2), 10)
  expect(rankCorrelation([1, 1], [1, 2])).toBeNull()
})

const start = (date: string, race: string, horse: number, position: number) => ({
  raceId: `HKSHT${date.replaceAll('-', '')}${race}`,
  date,
  horseId: `HK-${horse}`,
  horseNo: horse,
  calls: `${position} 1`,
  starters: 5,
})
const race = (date: string, no: string, positions: readonly number[]) =>
  positions.map((position, index) => start(date, no, index + 1, position))

test('a season is measured by races whose field is known, from the runs of earlier days', () => {
  const first = race('2026-01-01', '01', [1, 2, 3, 4, 5])
  const alike = race('2026-01-08', '01', [1, 2, 3, 4, 5])
  const turned = race('2026-01-08', '02', [5, 4, 3, 2, 1])
  // Nothing is expected of the first race, and the two of the second day do not know each other.
  for (const day of [
    [...alike, ...turned],
    [...turned, ...alike],
  ])
    expect(measureSeason(2025, [...first, ...day], new Map())).toEqual({
      season: 2025,
      races: 2,
      correlation: 0,
      led: 0.5,
    })
  expect(measureSeason(2025, first, new Map())).toBeNull()
})
