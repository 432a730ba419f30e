import { expect, test } from 'vitest'
import { marketLines, oddsAt } from '../../domain/odds-replay.ts'

const OFF = '2026-11-22T06:00:00.000Z'
const at = (minutes: number): string => new Date(Date.parse(OFF) - minutes * 60_000).toISOString()
const tick = (horseNumber: number, minutes: number, odds: number) => ({
  horseNumber,
  createTime: at(minutes),
  odds,
})

test('each horse has its odds at the marks, the last seen before each', () => {
  const ticks = [
    tick(2, 0, 4.4),
    tick(2, 700, 8),
    tick(2, 30, 6),
    tick(2, 9, 5.5),
    tick(1, 5, 3),
    tick(1, 1, 3.9),
  ]
  const [first, second] = marketLines(ticks, OFF, Date.parse(OFF) + 60_000)
  expect(first).toMatchObject({ horseNumber: 1, open: 3, marks: [null, null, 3], last: 3.9 })
  expect(first!.change).toBeCloseTo(0.3, 12)
  expect(second).toMatchObject({ horseNumber: 2, open: 8, marks: [6, 6, 5.5], last: 4.4 })
  expect(second!.change).toBeCloseTo(-0.45, 12)
})

test('a mark that is not reached, or a race without a time, has no odds there', () => {
  const ticks = [tick(1, 60, 3), tick(1, 20, 2.5)]
  expect(marketLines(ticks, OFF, Date.parse(at(15)))[0]!.marks).toEqual([3, null, null])
  expect(marketLines(ticks, null, Date.parse(OFF))[0]!.marks).toEqual([null, null, null])
  expect(marketLines([], OFF, Date.parse(OFF))).toEqual([])
})

test('the odds at an instant are those of a linear search', () => {
  const ticks = Array.from({ length: 50 }, (_, index) => ({ at: index * 7, odds: index + 1 }))
  for (let instant = -3; instant < 360; instant += 1) {
    expect(oddsAt(ticks, instant)).toBe(ticks.findLast((each) => each.at <= instant)?.odds ?? null)
  }
})
