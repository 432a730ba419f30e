import { expect, test } from 'vitest'
import { withoutLargest } from '../../domain/largest-wins.ts'

test('the largest wins are left out with their stakes; bets without a stake or of unknown profit do not count', () => {
  const stakes = [1000, 2000, 1000, 1000, 0, 1000, 1000]
  const profits = [9000, 500, -1000, 4000, 70_000, Number.NaN, -1000]
  expect(withoutLargest(stakes, profits, 1)).toEqual({ wins: 1, staked: 5000, profit: 2500 })
  expect(withoutLargest(stakes, profits, 2)).toEqual({ wins: 2, staked: 4000, profit: -1500 })
})

test('with no more wins than are left out there is no such result', () => {
  expect(withoutLargest([1000, 1000], [4000, -1000], 1)).toBeNull()
  expect(withoutLargest([], [], 3)).toBeNull()
})
