import { expect, test } from 'vitest'
import { oddsMoves } from '../../domain/odds-moves.ts'

const priced = (
  openingOdds: number | null,
  odds: number | null,
  status: 'declared' | 'withdrawn' = 'declared',
) => ({
  openingOdds,
  odds,
  status,
})

test('odds that shortened by a fifth or drifted by a quarter are moves, the largest first', () => {
  const shortened = priced(10, 8)
  const drifted = priced(4, 6)
  expect(
    oddsMoves([priced(10, 8.1), shortened, priced(4, 4.9), drifted]).map(({ runner }) => runner),
  ).toEqual([drifted, shortened])
  expect(oddsMoves([shortened])[0]!.movement).toBeCloseTo(-0.2)
})

test('a withdrawn runner and one without first or last odds have none', () => {
  expect(oddsMoves([priced(10, 2, 'withdrawn'), priced(null, 2), priced(10, null)])).toEqual([])
})
