import { describe, expect, test } from 'vitest'
import { isHorseHit, rankedHorses, rankOf } from '../../domain/horse-hit.ts'

describe('the horse-level hit check', () => {
  test('equal ranks, or both among the first three', () => {
    for (let actual = 1; actual <= 14; actual += 1)
      for (let predicted = 1; predicted <= 14; predicted += 1)
        expect(isHorseHit(actual, predicted)).toBe(actual === predicted || Math.max(actual, predicted) < 4)
  })
  test('no rank never hits', () => {
    for (const none of [0, null]) {
      expect(isHorseHit(none, none)).toBe(false)
      expect(isHorseHit(none, 1)).toBe(false)
      expect(isHorseHit(2, none)).toBe(false)
    }
  })
})

test('a ranking is a number or nothing', () => {
  expect(['1', '14', '', 'WV', '0', '1 DH', '-1'].map(rankOf)).toEqual([1, 14, null, null, null, null, null])
})

test('the ranked horses, numeric ones only, in order, dead heats both', () => {
  const runners = [
    { horseNumber: 7, ranking: '2' },
    { horseNumber: 3, ranking: '1' },
    { horseNumber: 5, ranking: '2' },
    { horseNumber: 9, ranking: 'PU' },
    { horseNumber: null, ranking: '3' },
    { horseNumber: 1, ranking: '4' },
  ]
  expect(rankedHorses(runners, 3).map(({ horseNumber }) => horseNumber)).toEqual([3, 5, 7])
})
