import { expect, test } from 'vitest'
import { createBackoff } from '../../src/data/backoff.ts'

const FIRST_MS = 1000
const LONGEST_MS = 30_000

/** A world whose timers run when the test says so, and whose random numbers are given. */
function world(random: () => number) {
  const waiting = new Map<unknown, { run: () => void; ms: number }>()
  return {
    random,
    setTimeout: (run: () => void, ms: number) => {
      const timer = Symbol('timer')
      waiting.set(timer, { run, ms })
      return timer
    },
    clearTimeout: (timer: unknown) => void waiting.delete(timer),
    /** The pauses of what is waiting, in milliseconds. */
    pauses: () => [...waiting.values()].map(({ ms }) => ms),
    elapse: () => {
      const due = [...waiting.values()]
      waiting.clear()
      for (const { run } of due) run()
    },
  }
}

test('pauses are random below a limit that doubles up to the longest', () => {
  const halves = world(() => 0.5)
  const backoff = createBackoff(FIRST_MS, LONGEST_MS, halves)
  const pauses = Array.from({ length: 7 }, () => {
    backoff.schedule(() => undefined)
    return halves.pauses()
  })
  expect(pauses).toEqual([[500], [1000], [2000], [4000], [8000], [15_000], [15_000]])
})

test('pages that lost the same server come back at different instants', () => {
  const pauseWith = (random: number): number[] => {
    const own = world(() => random)
    createBackoff(FIRST_MS, LONGEST_MS, own).schedule(() => undefined)
    return own.pauses()
  }
  expect(pauseWith(0)).toEqual([0])
  expect(pauseWith(0.25)).toEqual([250])
  expect(pauseWith(0.999)).toEqual([999])
})

test('an attempt that is scheduled again runs once, and after success the pauses are short again', () => {
  const own = world(() => 0.5)
  const backoff = createBackoff(FIRST_MS, LONGEST_MS, own)
  let attempts = 0
  const attempt = (): void => {
    attempts += 1
  }
  backoff.schedule(attempt)
  backoff.schedule(attempt)
  own.elapse()
  expect(attempts).toBe(1)
  backoff.reset()
  backoff.schedule(attempt)
  expect(own.pauses()).toEqual([500])
  backoff.cancel()
  own.elapse()
  expect(attempts).toBe(1)
})
