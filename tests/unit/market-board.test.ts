import { expect, test } from 'vitest'
import {
  BOARD_FILTER_IDS,
  boardRows,
  lateMovement,
  orderedBoard,
  passes,
  recordedOdds,
  type PricedStarter,
} from '../../domain/market-board.ts'
import { moveOf } from '../../domain/odds-replay.ts'

const starter = (horseNumber: number, given: Partial<PricedStarter> = {}): PricedStarter => ({
  horseNumber,
  entryNumber: null,
  odds: 4,
  openingOdds: 4,
  thirtyMinuteOdds: 4,
  tenMinuteOdds: 4,
  ranking: '',
  ...given,
})

const numbers = (rows: readonly { runner: PricedStarter }[]): (number | null)[] =>
  rows.map(({ runner }) => runner.horseNumber)

test('a fifth shorter is a steamer and a quarter longer a drifter, whatever the quotient rounds to', () => {
  for (let tenths = 15; tenths <= 990; tenths += 5) {
    const from = tenths / 10
    expect(moveOf((tenths * 8) / 100 / from - 1)).toBe('steamer')
    expect(moveOf((tenths * 125) / 1000 / from - 1)).toBe('drifter')
    expect(moveOf((tenths * 81) / 1000 / from - 1)).toBeNull()
    expect(moveOf((tenths * 124) / 1000 / from - 1)).toBeNull()
  }
  expect(moveOf(null)).toBeNull()
})

test('a late move counts from ten minutes before the start, wherever the odds began', () => {
  expect(moveOf(lateMovement({ tenMinuteOdds: 10, odds: 8 }))).toBe('steamer')
  expect(moveOf(lateMovement({ tenMinuteOdds: 10, odds: 8.1 }))).toBeNull()
  expect(lateMovement({ tenMinuteOdds: null, odds: 8 })).toBeNull()
  const [row] = boardRows([{ runners: [starter(1, { openingOdds: 8, tenMinuteOdds: 10, odds: 8 })] }])
  expect(row!.movement).toBe(0)
  expect(BOARD_FILTER_IDS.filter((filter) => passes(filter, row!))).toEqual(['movers', 'late', 'all'])
})

test('the share of the pool follows from the odds of all starters, and a coupled entry is one bet', () => {
  const runners = [
    starter(1, { odds: 2, openingOdds: 4, entryNumber: 1 }),
    starter(2, { odds: 2, openingOdds: 4, entryNumber: 1 }),
    starter(3, { odds: 4, openingOdds: 4 }),
    starter(4, { odds: 4, openingOdds: 4 }),
  ]
  const rows = boardRows([{ runners }])
  expect(rows.map(({ share }) => share)).toEqual([0.5, 0.5, 0.25, 0.25])
  expect(rows[0]!.gained).toBeCloseTo(0.5 - 1 / 3, 12)
  const unknown = boardRows([{ runners: [...runners, starter(5, { odds: null })] }])
  expect(unknown.map(({ share, gained }) => [share, gained])).toEqual(unknown.map(() => [null, null]))
  // Another race is another pool.
  const [alone] = boardRows([{ runners: [starter(1)] }, { runners }])
  expect(alone!.share).toBe(1)
})

test('rows are ordered by any figure, missing ones last, equal ones as the races are', () => {
  const rows = boardRows([
    { runners: [starter(1, { odds: 5 }), starter(2, { odds: 2 })] },
    { runners: [starter(3, { openingOdds: null }), starter(4, { odds: 2 })] },
  ])
  expect(numbers(orderedBoard(rows, 'change', false))).toEqual([2, 4, 1, 3])
  expect(numbers(orderedBoard(rows, 'change', true))).toEqual([1, 2, 4, 3])
  expect(numbers(orderedBoard(rows, 'race', false))).toEqual([1, 2, 3, 4])
  expect(numbers(orderedBoard(rows, 'race', true))).toEqual([4, 3, 2, 1])
  // Shares begin with the largest.
  expect(numbers(orderedBoard(rows, 'share', false))[0]).toBe(2)
  expect(numbers(rows.filter((row) => passes('steamers', row)))).toEqual([2, 4])
  expect(numbers(rows.filter((row) => passes('drifters', row)))).toEqual([1])
})

test('a source with one price a runner is told from one with none and one with their movement', () => {
  expect(recordedOdds([starter(1, { odds: null, openingOdds: null })])).toBe('none')
  expect(recordedOdds([starter(1, { openingOdds: null })])).toBe('last-only')
  expect(recordedOdds([starter(1, { openingOdds: null }), starter(2)])).toBe('movement')
  expect(recordedOdds([])).toBe('none')
})
