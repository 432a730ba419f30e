import { expect, test } from 'vitest'
import { aheadOf, distanceBetween, tallyOf, weightShift, type MetRun } from '../../domain/head-to-head.ts'

const run = (
  place: string | null,
  margin: string | null = null,
  finishTimeMs: number | null = null,
): MetRun => ({
  place,
  margin,
  finishTimeMs,
})

test('the better place is ahead, a place is ahead of a code, and what is unknown decides nothing', () => {
  expect(aheadOf(run('2'), run('10'))).toBe('first')
  expect(aheadOf(run('PU'), run('14'))).toBe('second')
  expect(aheadOf(run('3'), run('3'))).toBe('level')
  expect([
    aheadOf(run('1'), run(null)),
    aheadOf(run('PU'), run('UR')),
    aheadOf(run(null), run(null)),
  ]).toEqual([null, null, null])
  const races = [
    [run('1'), run('2')],
    [run('4'), run('4')],
    [run('DISQ'), run('9')],
    [run(null), run('1')],
  ].map(([first, second]) => ({ run: first!, otherRun: second! }))
  expect(tallyOf(races)).toEqual({ first: 1, second: 1, level: 1 })
})

test('the distance between two is the difference of theirs behind the winner, and of their times', () => {
  expect(distanceBetween(run('2', '1-3/4', 69_500), run('5', '6-1/4', 70_210))).toEqual({
    lengths: 4.5,
    words: null,
    milliseconds: 710,
  })
  // The winner has no distance of its own; the other may be first, too.
  expect(distanceBetween(run('3', '3/4'), run('1', '-'))).toEqual({
    lengths: 0.75,
    words: null,
    milliseconds: null,
  })
  expect(distanceBetween(run('1'), run('2', 'NK'))).toEqual({
    lengths: null,
    words: 'NK',
    milliseconds: null,
  })
  // A neck and three lengths are no number of lengths apart.
  expect(distanceBetween(run('2', 'NK'), run('4', '3'))).toEqual({
    lengths: null,
    words: null,
    milliseconds: null,
  })
  for (const other of [run('PU'), run('2', '1-3/4')])
    expect(distanceBetween(run('2', '1-3/4'), other).lengths).toBeNull()
})

test('the shift of weights is what the first carries less in relation to the second', () => {
  expect(weightShift([126, 120], [122, 121])).toBe(5)
  expect(weightShift([120, 126], [121, 122])).toBe(-5)
  expect(weightShift([126, null], [122, 121])).toBeNull()
})
