import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBackoff } from '../../src/data/backoff.ts'

const FIRST_MS = 1000
const LONGEST_MS = 30_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const randomIs = (value: number): void => void vi.spyOn(Math, 'random').mockReturnValue(value)

/** The pause before what is scheduled runs, in milliseconds; nothing else may be waiting. */
function pauseOf(backoff: ReturnType<typeof createBackoff>): number {
  const before = Date.now()
  backoff.schedule(() => undefined)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersToNextTimer()
  return Date.now() - before
}

test('pauses are random below a limit that doubles up to the longest', () => {
  randomIs(0.5)
  const backoff = createBackoff(FIRST_MS, LONGEST_MS)
  const pauses = Array.from({ length: 7 }, () => pauseOf(backoff))
  expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000])
})

test.for([
  [0, 0],
  [0.25, 250],
  [0.999, 999],
] as const)('pages that lost the same server come back at different instants: %d', ([random, pause]) => {
  randomIs(random)
  expect(pauseOf(createBackoff(FIRST_MS, LONGEST_MS))).toBe(pause)
})

test('an attempt that is scheduled again runs once, and after success the pauses are short again', () => {
  randomIs(0.5)
  const backoff = createBackoff(FIRST_MS, LONGEST_MS)
  const attempt = vi.fn<() => void>()
  backoff.schedule(attempt)
  backoff.schedule(attempt)
  expect(vi.getTimerCount()).toBe(1)
  vi.runAllTimers()
  expect(attempt).toHaveBeenCalledTimes(1)
  backoff.reset()
  expect(pauseOf(backoff)).toBe(500)
  backoff.schedule(attempt)
  backoff.cancel()
  vi.runAllTimers()
  expect(attempt).toHaveBeenCalledTimes(1)
})
