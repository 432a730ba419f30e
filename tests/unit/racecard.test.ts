import { describe, expect, test } from 'vitest'
import { cardFigures, orderedCard, type CardRunner } from '../../domain/racecard.ts'

const runner = (horseNumber: number, given: Partial<CardRunner> = {}): CardRunner => ({
  horseNumber,
  entryNumber: null,
  status: 'declared',
  ranking: '',
  draw: null,
  actualWeight: null,
  ratingScore: null,
  odds: null,
  openingOdds: null,
  probability: null,
  ...given,
})
const numbers = (rows: readonly { runner: CardRunner }[]) => rows.map(({ runner: each }) => each.horseNumber)

describe('figures of a racecard', () => {
  test('fair odds, edge over the market and movement are worked out by hand', () => {
    // 1/2 + 1/4 + 1/4 = 1: the market's shares are a half and two quarters.
    const [first, second, third] = cardFigures([
      runner(1, { odds: 2, openingOdds: 4, probability: 0.4 }),
      runner(2, { odds: 4, openingOdds: 4, probability: 0.35 }),
      runner(3, { odds: 4, openingOdds: null, probability: 0.25 }),
    ])
    expect(first!.fairOdds).toBeCloseTo(2.5)
    expect(first!.edge).toBeCloseTo(-0.1)
    expect(first!.movement).toBeCloseTo(-0.5)
    expect(second!.edge).toBeCloseTo(0.1)
    expect(second!.movement).toBe(0)
    expect(third!.movement).toBeNull()
  })

  test('a withdrawn horse has no share, and the others share what it leaves', () => {
    const figures = cardFigures([
      runner(1, { odds: 2, probability: 0.5 }),
      runner(2, { odds: 2, probability: 0.5 }),
      runner(3, { odds: 3, probability: null, status: 'withdrawn' }),
    ])
    expect(figures[0]!.edge).toBeCloseTo(0)
    expect(figures[2]).toEqual({ fairOdds: null, edge: null, movement: null })
  })

  test('horses of a coupled entry are one bet', () => {
    const figures = cardFigures([
      runner(1, { entryNumber: 1, odds: 2, probability: 0.5 }),
      runner(2, { entryNumber: 1, odds: 2, probability: 0.5 }),
      runner(3, { odds: 2, probability: 0.5 }),
    ])
    expect(figures.map(({ edge }) => edge)).toEqual([0, 0, 0])
  })

  test('without the odds of every starter there is no share of the market', () => {
    const figures = cardFigures([runner(1, { odds: 2, probability: 0.5 }), runner(2, { probability: 0.5 })])
    expect(figures.map(({ edge }) => edge)).toEqual([null, null])
  })
})

describe('order of a racecard', () => {
  const field = [
    runner(1, { ranking: '3', status: 'finished', odds: 9, probability: 0.1 }),
    runner(2, { ranking: 'WV', status: 'withdrawn', odds: 1.5, probability: 0.9 }),
    runner(3, { ranking: '1', status: 'finished', odds: 4, probability: 0.3 }),
    runner(4, { ranking: 'PU', status: 'unfinished', odds: 3, probability: 0.4 }),
    runner(5, { ranking: '2', status: 'finished', odds: null, probability: null }),
  ]

  test.each([
    ['finish', false, [3, 5, 1, 4, 2]],
    ['number', false, [1, 2, 3, 4, 5]],
    ['number', true, [5, 4, 3, 2, 1]],
    // Missing values come last in both directions.
    ['odds', false, [4, 3, 1, 2, 5]],
    ['odds', true, [1, 3, 4, 2, 5]],
    ['model', false, [4, 3, 1, 2, 5]],
    ['model', true, [1, 3, 4, 2, 5]],
    ['fair', false, [4, 3, 1, 2, 5]],
  ] as const)('by %s, reversed %s', (order, reversed, expected) => {
    expect(numbers(orderedCard(field, order, reversed))).toEqual(expected)
  })
})
